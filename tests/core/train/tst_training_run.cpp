#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/io/safetensors.h"
#include "core/train/training_run.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace headscope;

namespace fs = std::filesystem;

namespace {

/// Counting upwards modulo the vocabulary from a random start: learnt in a few steps.
class CountingBatches : public BatchSource
{
public:
    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override
    {
        Random random(seed, static_cast<std::uint64_t>(step));
        Batch batch{4, 6, {}, {}};
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            auto id = static_cast<TokenId>(random.below(11));
            for (std::int64_t i = 0; i < batch.length; ++i) {
                batch.inputs.push_back(id);
                id = (id + 1) % 11;
                batch.targets.push_back(id);
            }
        }
        return batch;
    }

    std::int64_t validationBatchCount() const override { return 2; }

    Batch validationBatch(std::int64_t index) const override { return trainingBatch(999, index); }
};

TrainingRunSettings smallRun(std::int64_t steps)
{
    TrainingRunSettings settings;
    settings.model.vocabularySize = 11;
    settings.model.dModel = 16;
    settings.model.heads = 2;
    settings.model.layers = 1;
    settings.model.dFf = 32;
    settings.model.maxLen = 8;
    settings.model.dropout = 0.1;
    settings.trainer.seed = 21;
    settings.trainer.optimizer.learningRate = 1e-2;
    settings.trainer.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    settings.steps = steps;
    settings.logEvery = 1;
    settings.evalEvery = 4;
    settings.checkpointEvery = 3;
    return settings;
}

nlohmann::json configOfRun()
{
    return {{"model", {{"d_model", 16}}}, {"seed", 21}, {"steps", 8}};
}

std::string textOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<nlohmann::json> logOf(const fs::path& run)
{
    std::vector<nlohmann::json> lines;
    std::ifstream file(run / "log.jsonl");
    for (std::string line; std::getline(file, line);)
        lines.push_back(nlohmann::json::parse(line));
    return lines;
}

std::vector<std::string> namesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

bool sameBits(const ParameterSet& a, const ParameterSet& b)
{
    return std::ranges::equal(a.values(), b.values(), [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
    });
}

void overwrite(const fs::path& path, std::size_t at, std::string_view bytes)
{
    std::string text = textOf(path);
    text.replace(std::min(at, text.size()), bytes.size(), bytes);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

} // namespace

class TstTrainingRun : public QObject
{
    Q_OBJECT

private:
    fs::path folder(const char* name) const { return fs::path(m_root.path().toStdString()) / name; }

    RunDirectory finishedRun(const char* name, std::int64_t steps = 4)
    {
        RunDirectory directory = RunDirectory::create(folder(name), configOfRun());
        runTraining(smallRun(steps), CountingBatches(), directory);
        return directory;
    }

    QTemporaryDir m_root;

private slots:

    void aRunLeavesItsConfigurationLogAndCheckpoints()
    {
        const RunDirectory directory =
            RunDirectory::create(folder("whole"), configOfRun(), "{\"tokenizer\": 1}");
        std::vector<TrainingProgress> lines;
        const TrainingResult result =
            runTraining(smallRun(8), CountingBatches(), directory,
                        [&](const TrainingProgress& line) { lines.push_back(line); });
        QCOMPARE(result.step, std::int64_t(8));
        QVERIFY(!result.stopped && result.validationLoss);
        QCOMPARE(result.checkpoint, directory.checkpointPath(8));
        QCOMPARE(namesIn(directory.path() / "checkpoints"),
                 (std::vector<std::string>{"optimizer-8.safetensors", "step-0.safetensors",
                                           "step-3.safetensors", "step-6.safetensors",
                                           "step-8.safetensors", "tokenizer.json"}));
        QCOMPARE(directory.config(), configOfRun());
        const std::vector<nlohmann::json> log = logOf(directory.path());
        QCOMPARE(log.size(), std::size_t(8));
        QCOMPARE(lines.size(), log.size());
        for (std::size_t i = 0; i < log.size(); ++i) {
            QCOMPARE(log[i].dump(), nlohmann::json::parse(toJsonLine(lines[i])).dump());
            QCOMPARE(log[i]["val_loss"].is_null(), (i + 1) % 4 != 0);
            QVERIFY(log[i]["tokens_per_s"].get<double>() > 0.0);
            QCOMPARE(log[i]["perplexity"].get<double>(), std::exp(log[i]["loss"].get<double>()));
            QCOMPARE(log[i]["val_perplexity"].is_null(), log[i]["val_loss"].is_null());
        }
        QCOMPARE(log[3]["val_perplexity"].get<double>(),
                 std::exp(log[3]["val_loss"].get<double>()));
        QVERIFY(log.back()["loss"].get<double>() < log.front()["loss"].get<double>());
    }

    void partsOfALossAreInTheLog()
    {
        TrainingProgress progress;
        progress.report.loss = 3.0;
        progress.report.parts.token = 2.0;
        nlohmann::json line = nlohmann::json::parse(toJsonLine(progress));
        QCOMPARE(line["perplexity"].get<double>(), std::exp(2.0));
        QVERIFY(!line.contains("mlm") && !line.contains("nsp") && !line.contains("balance"));
        progress.report.parts.nextSentence = 0.5;
        progress.report.parts.balance = 1.25;
        progress.isSmoothed = true;
        line = nlohmann::json::parse(toJsonLine(progress));
        QCOMPARE(line["mlm"].get<double>(), 2.0);
        QCOMPARE(line["nsp"].get<double>(), 0.5);
        QCOMPARE(line["balance"].get<double>(), 1.25);
        QVERIFY(line["perplexity"].is_null());
    }

    void aRunThatDivergesKeepsItsLastGoodState()
    {
        const RunDirectory directory = RunDirectory::create(folder("diverges"), configOfRun());
        TrainingRunSettings settings = smallRun(40);
        settings.checkpointEvery = 0;
        settings.trainer.optimizer.learningRate = 1e30;
        settings.trainer.optimizer.weightDecay = 0.0;
        std::string problem;
        try {
            runTraining(settings, CountingBatches(), directory);
        } catch (const Error& error) {
            problem = error.what();
        }
        QVERIFY2(problem.find("diverged") != std::string::npos, problem.c_str());
        const auto newest = directory.newestStep();
        QVERIFY(newest);
        QVERIFY2(problem.find("step " + std::to_string(*newest + 1)) != std::string::npos,
                 problem.c_str());
        const TrainingState state = directory.load(*newest, settings.model, 21);
        QVERIFY(std::ranges::all_of(state.parameters.values(),
                                    [](float value) { return std::isfinite(value); }));
    }

    void aResumedRunEqualsAnUninterruptedOne()
    {
        const RunDirectory whole = finishedRun("uninterrupted", 9);
        RunDirectory parts = RunDirectory::create(folder("parts"), configOfRun());
        std::stop_source stop;
        const TrainingResult first = runTraining(
            smallRun(9), CountingBatches(), parts,
            [&](const TrainingProgress& line) {
                if (line.report.step == 5)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY(first.stopped);
        QCOMPARE(first.step, std::int64_t(5));
        parts = RunDirectory::open(folder("parts"));
        runTraining(smallRun(9), CountingBatches(), parts);
        QCOMPARE(textOf(parts.checkpointPath(9)), textOf(whole.checkpointPath(9)));
        const std::vector<nlohmann::json> expected = logOf(whole.path());
        const std::vector<nlohmann::json> got = logOf(parts.path());
        QCOMPARE(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(got[i]["step"], expected[i]["step"]);
            QCOMPARE(got[i]["loss"], expected[i]["loss"]);
            QCOMPARE(got[i]["val_loss"], expected[i]["val_loss"]);
        }
    }

    void aRunThatDiedBetweenCheckpointsGoesOnFromTheLastOne()
    {
        const RunDirectory whole = finishedRun("survivor", 6);
        const RunDirectory died = finishedRun("died", 3);
        for (int step = 4; step <= 5;
             ++step) // lines of steps that no checkpoint holds, one cut off
            died.appendLog("{\"step\":" + std::to_string(step) + ",\"loss\":77.0}");
        std::ofstream(died.path() / "log.jsonl", std::ios::app) << "{\"step\":6,\"lo";
        fs::copy_file(whole.checkpointPath(6), died.checkpointPath(6)); // no optimizer state for it
        QCOMPARE(died.newestStep(), std::optional<std::int64_t>(3));
        runTraining(smallRun(6), CountingBatches(), died);
        QCOMPARE(textOf(died.checkpointPath(6)), textOf(whole.checkpointPath(6)));
        const std::vector<nlohmann::json> log = logOf(died.path());
        QCOMPARE(log.size(), std::size_t(6));
        QVERIFY(log[3]["loss"] != 77.0);
    }

    void stateComesBackBitForBit()
    {
        const TrainingRunSettings settings = smallRun(2);
        Trainer trainer(settings.model,
                        {0, Model::initialised(settings.model, 4).parameters(), {}, {}},
                        settings.trainer);
        trainer.step(CountingBatches().trainingBatch(1, 0));
        const RunDirectory directory = RunDirectory::create(folder("state"), configOfRun());
        directory.save(settings.model, trainer.state(), 21, {{"task", "counting"}});
        const TrainingState back = directory.load(1, settings.model, 21);
        QCOMPARE(back.step, std::int64_t(1));
        QVERIFY(sameBits(back.parameters, trainer.state().parameters));
        QVERIFY(sameBits(back.firstMoment, trainer.state().firstMoment));
        QVERIFY(sameBits(back.secondMoment, trainer.state().secondMoment));
        const SafetensorsFile file = SafetensorsFile::open(directory.checkpointPath(1));
        QCOMPARE(file.metadata().at("task"), std::string("counting"));
        QCOMPARE(file.metadata().at("step"), std::string("1"));
    }

    void anotherConfigurationIsRefused()
    {
        const RunDirectory directory = RunDirectory::create(folder("config"), configOfRun());
        nlohmann::json longer = configOfRun();
        longer["steps"] = 100;
        longer["eval_every"] = 7;
        directory.requireSameConfig(longer);
        nlohmann::json wider = configOfRun();
        wider["model"]["d_model"] = 32;
        QVERIFY_EXCEPTION_THROWN(directory.requireSameConfig(wider), Error);
        nlohmann::json more = configOfRun();
        more["batch_size"] = 3;
        QVERIFY_EXCEPTION_THROWN(directory.requireSameConfig(more), Error);
    }

    void foldersThatHoldAnythingElseAreRefused()
    {
        fs::create_directories(folder("full"));
        std::ofstream(folder("full") / "letter.txt") << "mine";
        QVERIFY_EXCEPTION_THROWN(RunDirectory::create(folder("full"), configOfRun()), Error);
        QCOMPARE(namesIn(folder("full")), std::vector<std::string>{"letter.txt"});
        QVERIFY_EXCEPTION_THROWN(RunDirectory::open(folder("full")), FormatError);
        QVERIFY_EXCEPTION_THROWN(RunDirectory::open(folder("absent")), FormatError);
        std::ofstream(folder("file")) << "x";
        QVERIFY_EXCEPTION_THROWN(RunDirectory::create(folder("file"), configOfRun()), Error);
        RunDirectory::create(folder("broken"), configOfRun());
        std::ofstream(folder("broken") / "config.json") << "[1, 2";
        QVERIFY_EXCEPTION_THROWN(RunDirectory::open(folder("broken")), FormatError);
        std::ofstream(folder("broken") / "config.json") << "[1, 2]";
        QVERIFY_EXCEPTION_THROWN(RunDirectory::open(folder("broken")), FormatError);
    }

    void namesThatAreNoStepsAreIgnored()
    {
        const RunDirectory directory = finishedRun("names", 3);
        for (const char* name :
             {"optimizer-99999999999999999999.safetensors", "optimizer--4.safetensors",
              "optimizer-007.safetensors", "optimizer-.safetensors", "optimizer-9.safetensors.tmp"})
            std::ofstream(directory.path() / "checkpoints" / name) << "x";
        QCOMPARE(directory.newestStep(), std::optional<std::int64_t>(3));
    }

    void damagedStatesAreRefused_data()
    {
        QTest::addColumn<QString>("damage");
        for (const char* damage : {"truncated checkpoint", "truncated optimizer", "empty optimizer",
                                   "lying header", "checkpoint as optimizer", "another seed",
                                   "another step", "another model", "infinite"})
            QTest::newRow(damage) << damage;
    }

    void damagedStatesAreRefused()
    {
        QFETCH(QString, damage);
        const RunDirectory directory = finishedRun(damage.toUtf8().constData(), 3);
        const fs::path optimizer = directory.path() / "checkpoints" / "optimizer-3.safetensors";
        ModelConfig model = smallRun(3).model;
        std::uint64_t seed = 21;
        std::int64_t step = 3;
        QCOMPARE(directory.load(step, model, seed).step, std::int64_t(3));
        if (damage == "truncated checkpoint")
            fs::resize_file(directory.checkpointPath(3), 5000);
        if (damage == "truncated optimizer")
            fs::resize_file(optimizer, fs::file_size(optimizer) - 1);
        if (damage == "empty optimizer")
            fs::resize_file(optimizer, 0);
        if (damage == "lying header")
            overwrite(optimizer, 0, "\xff\xff\xff\xff\xff\xff\xff\x7f");
        if (damage == "checkpoint as optimizer")
            fs::copy_file(directory.checkpointPath(3), optimizer,
                          fs::copy_options::overwrite_existing);
        if (damage == "another seed")
            seed = 22;
        if (damage == "another step") {
            fs::rename(optimizer, directory.path() / "checkpoints" / "optimizer-0.safetensors");
            step = 0;
        }
        if (damage == "another model")
            model.dFf = 48;
        if (damage == "infinite")
            overwrite(optimizer, fs::file_size(optimizer) - 4, std::string_view("\0\0\x80\x7f", 4));
        QVERIFY_EXCEPTION_THROWN(directory.load(step, model, seed), FormatError);
    }

    void validationIsTheMeanOverAllTargets()
    {
        const TrainingRunSettings settings = smallRun(1);
        Trainer trainer(settings.model,
                        {0, Model::initialised(settings.model, 4).parameters(), {}, {}},
                        settings.trainer);

        class Uneven : public CountingBatches
        {
        public:
            Batch validationBatch(std::int64_t index) const override
            {
                Batch batch = trainingBatch(7, index);
                if (index == 1)
                    std::fill(batch.targets.begin() + 3, batch.targets.end(), kIgnoredTarget);
                return batch;
            }
        };

        const Uneven batches;
        const double expected = (trainer.evaluate(batches.validationBatch(0)) * 24.0 +
                                 trainer.evaluate(batches.validationBatch(1)) * 3.0) /
                                27.0;
        QVERIFY(std::abs(*validationLoss(trainer, batches) - expected) < 1e-12);
    }
};

QTEST_GUILESS_MAIN(TstTrainingRun)
#include "tst_training_run.moc"
