#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/train/files/run_directory.h"
#include "core/train/measures/target_accuracy.h"
#include "core/train/training_progress.h"
#include "tests/support/test_program.h"

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

ModelConfig smallModel()
{
    ModelConfig model;
    model.vocabularySize = 11;
    model.dModel = 16;
    model.heads = 2;
    model.layers = 1;
    model.dFf = 32;
    model.maxLen = 8;
    model.dropout = 0.1;
    return model;
}

Trainer smallTrainer()
{
    Trainer::Settings settings;
    settings.seed = 21;
    settings.optimizer.learningRate = 1e-2;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return {smallModel(), {0, Model::initialised(smallModel(), 4).parameters(), {}, {}}, settings};
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

class TstRunDirectory : public QObject
{
    Q_OBJECT

private:
    fs::path folder(const char* name) const { return fs::path(m_root.path().toStdString()) / name; }

    /// Saved after the first and the last of `steps`.
    RunDirectory finishedRun(const char* name, std::int64_t steps)
    {
        const RunDirectory directory =
            RunDirectory::create(folder(name), configOfRun(), "{\"tokenizer\": 1}");
        Trainer trainer = smallTrainer();
        while (trainer.state().step < steps) {
            trainer.step(CountingBatches().trainingBatch(1, trainer.state().step));
            if (trainer.state().step == 1 || trainer.state().step == steps)
                directory.save(smallModel(), trainer.state(), 21);
        }
        return directory;
    }

    QTemporaryDir m_root;

private slots:

    void everySavedStateStaysUntilItIsRemoved()
    {
        const RunDirectory directory = finishedRun("whole", 4);
        QCOMPARE(namesIn(directory.path() / "checkpoints"),
                 (std::vector<std::string>{"optimizer-1.safetensors", "optimizer-4.safetensors",
                                           "step-1.safetensors", "step-4.safetensors",
                                           "tokenizer.json"}));
        QCOMPARE(directory.config(), configOfRun());
        QCOMPARE(directory.checkpointSteps(), (std::vector<std::int64_t>{1, 4}));
        QCOMPARE(directory.optimizerSteps(), (std::vector<std::int64_t>{1, 4}));
        fs::remove(directory.optimizerPath(4));
        QCOMPARE(directory.newestStep(), std::optional<std::int64_t>(1));
        const TrainingState weights = directory.loadWeights(4, smallModel());
        QCOMPARE(weights.step, std::int64_t(4));
        QVERIFY(std::ranges::all_of(weights.firstMoment.values(), [](float v) { return v == 0; }));
        QVERIFY(std::ranges::all_of(weights.secondMoment.values(), [](float v) { return v == 0; }));
    }

    void partsOfALossAreInTheLog()
    {
        TrainingProgress progress;
        progress.report.loss = 3.0;
        progress.report.parts.token = 2.0;
        nlohmann::json line = nlohmann::json::parse(toJsonLine(progress));
        QCOMPARE(line["perplexity"].get<double>(), std::exp(2.0));
        QVERIFY(!line.contains("mlm") && !line.contains("nsp") && !line.contains("balance"));
        QVERIFY(!line.contains("val_accuracy") && !line.contains("layer_grad_norms"));
        progress.report.parts.nextSentence = 0.5;
        progress.report.parts.balance = 1.25;
        progress.isSmoothed = true;
        line = nlohmann::json::parse(toJsonLine(progress));
        QCOMPARE(line["mlm"].get<double>(), 2.0);
        QCOMPARE(line["nsp"].get<double>(), 0.5);
        QCOMPARE(line["balance"].get<double>(), 1.25);
        QVERIFY(line["perplexity"].is_null());
        progress.validationAccuracy = 0.75;
        progress.layerNorms = {{"embeddings", 0.5}, {"h.0", 2.0}};
        line = nlohmann::json::parse(toJsonLine(progress));
        QCOMPARE(line["val_accuracy"].get<double>(), 0.75);
        QCOMPARE(line["layer_grad_norms"]["h.0"].get<double>(), 2.0);
    }

    void stateComesBackBitForBit()
    {
        Trainer trainer = smallTrainer();
        trainer.step(CountingBatches().trainingBatch(1, 0));
        const RunDirectory directory = RunDirectory::create(folder("state"), configOfRun());
        directory.save(smallModel(), trainer.state(), 21, {{"task", "counting"}});
        const TrainingState back = directory.load(1, smallModel(), 21);
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
        ModelConfig model = smallModel();
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
        Trainer trainer = smallTrainer();

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
        for (std::int64_t step = 0; step < 12; ++step) // some targets right, some wrong
            trainer.step(batches.trainingBatch(1, step));
        const double expected = (trainer.evaluate(batches.validationBatch(0)) * 24.0 +
                                 trainer.evaluate(batches.validationBatch(1)) * 3.0) /
                                27.0;
        QVERIFY(std::abs(*validationLoss(trainer, batches) - expected) < 1e-12);
        QVERIFY(std::abs(validate(trainer, batches)->loss - expected) < 1e-12);
        CpuAttention backend;
        const TargetAccuracy byHand = measureTargets(*trainer.snapshot(), batches, backend);
        QVERIFY(byHand.tokens > 0.0 && byHand.tokens < 1.0);
        QVERIFY(std::abs(validate(trainer, batches)->accuracy - byHand.tokens) < 1e-12);
    }
};

HEADSCOPE_TEST(TstRunDirectory)
#include "tst_run_directory.moc"
