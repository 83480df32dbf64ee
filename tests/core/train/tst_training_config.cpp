#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/training/bpe_trainer.h"
#include "core/train/data/prepared_data.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

std::string problemOf(const std::string& text)
{
    try {
        parseTrainingConfig(text, "run.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::filesystem::path shippedConfig(const std::string& name)
{
    return std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources/training" / name;
}

} // namespace

class TstTrainingConfig : public QObject
{
    Q_OBJECT

private slots:

    void everyKeyIsOptional()
    {
        const TrainingConfig config = parseTrainingConfig("{}", "run.json");
        QVERIFY(config.data == DataSettings());
        QVERIFY(config.steps > 0 && config.batchSize > 0);
        QCOMPARE(config.schedule.totalSteps, config.steps);
    }

    void everyKeyIsRead()
    {
        const TrainingConfig config = parseTrainingConfig(
            R"({"model": {"d_model": 32, "n_heads": 2, "vocab_size": 300},
                "data": {"task": "repeat", "variant": "segment", "seed": 18446744073709551615,
                         "vocab_size": 400, "bytes": 5000, "repeated_rows": 0.25,
                         "validation_share": 0.1, "validation_batches": 3, "tokenizer": "t.json"},
                "objective": "causal",
                "optimizer": {"name": "adamw", "lr": 0.01, "beta1": 0.8, "beta2": 0.9,
                              "epsilon": 1e-6, "weight_decay": 0, "decay_matrices_only": false,
                              "clip_norm": null},
                "schedule": {"name": "warmup_cosine", "warmup_steps": 5, "total_steps": 70},
                "batch_size": 3, "steps": 60, "seed": 9, "eval_every": 10, "checkpoint_every": 20,
                "log_every": 2})",
            "run.json");
        QCOMPARE(config.model.dModel, std::int64_t{32});
        QVERIFY(config.data.task == TrainingTask::Repeat);
        QVERIFY(config.data.variant == RepeatTaskSettings::Variant::Segment);
        QCOMPARE(config.data.seed, UINT64_MAX);
        QCOMPARE(config.data.tokenizer, std::string("t.json"));
        QCOMPARE(config.optimizer.learningRate, 0.01);
        QVERIFY(!config.optimizer.clipNorm && !config.optimizer.decayMatricesOnly);
        QVERIFY(config.schedule.kind == ScheduleSettings::Kind::WarmupCosine);
        QCOMPARE(config.schedule.totalSteps, std::int64_t{70});
        QCOMPARE(config.logEvery, std::int64_t{2});
        const json written = toJson(config);
        QVERIFY(toJson(trainingConfigFromJson(written, "again")) == written);
    }

    void shippedConfigurationsAreGood()
    {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(shippedConfig(""))) {
            const std::string name = entry.path().filename().string();
            const TrainingConfig config = loadTrainingConfig(entry.path());
            QVERIFY(config.data.task != TrainingTask::None || name == "text.json");
            QVERIFY(toJson(trainingConfigFromJson(toJson(config), name)) == toJson(config));
            ++count;
        }
        QVERIFY(count >= 7);
    }

    void badConfigurationsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(expected);
        };
        row("", "");
        row("[]", "JSON object");
        row("null", "JSON object");
        row(R"({"stepz": 1})", "\"steps\"");
        row(R"({"data": {"tsk": "repeat"}})", "\"task\"");
        row(R"({"optimizer": {"lrr": 1}})", "\"lr\"");
        row(R"({"schedule": {"warm_up_steps": 1}})", "\"warmup_steps\"");
        row(R"({"model": {"d_modell": 1}})", "\"d_model\"");
        row(R"({"steps": "100"})", "\"steps\"");
        row(R"({"steps": -1})", "-1");
        row(R"({"steps": 1.5})", "1.5");
        row(R"({"steps": null})", "null");
        row(R"({"steps": 1e400})", "");
        row(R"({"steps": 18446744073709551615})", "whole number");
        row(R"({"steps": 1, "steps": 2})", "");
        row(R"({"seed": -3})", "-3");
        row(R"({"batch_size": 0})", "batch_size");
        row(R"({"optimizer": {"lr": "fast"}})", "\"lr\"");
        row(R"({"optimizer": {"lr": -1}})", "\"lr\"");
        row(R"({"optimizer": {"clip_norm": 0}})", "\"clip_norm\"");
        row(R"({"optimizer": {"name": "sgdm"}})", "\"sgd\"");
        row(R"({"optimizer": {"momentum": 1}})", "\"momentum\"");
        row(R"({"optimizer": {"mommentum": 0.9}})", "\"momentum\"");
        row(R"({"optimizer": 5})", "optimizer");
        row(R"({"schedule": {"name": "warmup_cosin"}})", "\"warmup_cosine\"");
        row(R"({"schedule": {"name": 7}})", "one of");
        row(R"({"schedule": {"name": "noam", "warmup_steps": 0}})", "warmup_steps");
        row(R"({"schedule": {"name": "warmup_cosine", "min_lr": 1e-5}})", "warmup_cosine_floor");
        row(R"({"schedule": {"d_model": 0}})", "d_model");
        row(R"({"objective": "maskd"})", "\"masked\"");
        row(R"({"objective": "masked"})", "causal");
        row(R"({"objective": "seq2seq"})", "causal");
        row(R"({"objective": "causal", "model": {"architecture": "encoder"}})", "masked");
        row(R"({"objective": "masked", "model": {"architecture": "encoder-decoder"}})", "seq2seq");
        row(R"({"data": {"task": "reverse"}})", "do not suit");
        row(R"({"data": {"task": "brakets"}})", "\"brackets\"");
        row(R"({"data": {"task": "brackets"}, "model": {"architecture": "encoder"}})",
            "do not suit");
        row(R"({"data": {"task": "order"}, "model": {"architecture": "encoder-decoder"}})",
            "do not suit");
        row(R"({"data": {"reversed_sum": 1}})", "reversed_sum");
        row(R"({"data": {"task": "stories"}, "model": {"architecture": "encoder-decoder"}})",
            "\"reverse\"");
        row(R"({"data": {"task": "repeat"}, "model": {"architecture": "encoder"}})", "\"stories\"");
        row(R"({"data": {"batches": "b"}, "model": {"architecture": "encoder"}})", "do not suit");
        row(R"({"data": {"max_length": 0}})", "max_length");
        row(R"({"data": {"max_length": 5, "min_length": 6}})", "min_length");
        row(R"({"label_smoothing": 1})", "label_smoothing");
        row(R"({"label_smoothing": -0.1})", "label_smoothing");
        row(R"({"label_smoothing_convention": "anotated"})", "\"annotated\"");
        row(R"({"accumulate": 0})", "accumulate");
        row(R"({"accumulate": 17})", "accumulate");
        row(R"({"data": {"task": "storys"}})", "\"stories\"");
        row(R"({"data": {"text": ""}})", "\"text\"");
        row(R"({"data": {"text": 5}})", "\"text\"");
        row(R"({"data": {"task": "repeat", "text": "a.txt"}})", "more than one");
        row(R"({"data": {"text": "a", "batches": "b"}})", "more than one");
        row(R"({"data": {"repeated_rows": 1.01}})", "repeated_rows");
        row(R"({"data": {"vocab_size": 256}})", "vocab_size");
        row(R"({"data": []})", "data");
        row(R"({"model": {"n_heads": 7}})", "n_heads");
        row("{\"objective\": \"\xFF\"}", "");
    }

    void badConfigurationsAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const std::string problem = problemOf(text.toStdString());
        QVERIFY2(problem.find("run.json") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find(expected.toStdString()) != std::string::npos, problem.c_str());
        QVERIFY2(problem.find('\n') == std::string::npos, problem.c_str());
    }

    void everyMethodOfTrainingIsRead()
    {
        const TrainingConfig config = parseTrainingConfig(
            R"({"model": {"architecture": "encoder-decoder", "d_model": 64},
                "data": {"task": "addition", "min_length": 2, "max_length": 4},
                "objective": "seq2seq", "optimizer": {"name": "adam"},
                "schedule": {"name": "noam"}, "label_smoothing": 0.1,
                "label_smoothing_convention": "annotated", "batch_size": 8, "accumulate": 4})",
            "run.json");
        QVERIFY(config.objective == Objective::Seq2seq);
        QVERIFY(config.data.task == TrainingTask::Addition);
        QCOMPARE(config.data.minLength, std::int64_t{2});
        QCOMPARE(config.data.maxLength, std::int64_t{4});
        QVERIFY(config.optimizer.kind == OptimizerKind::Adam);
        QCOMPARE(config.optimizer.weightDecay, 0.0);
        QCOMPARE(config.optimizer.learningRate, 1.0); // Noam's factor
        QVERIFY(config.schedule.kind == ScheduleSettings::Kind::Noam);
        QCOMPARE(config.schedule.warmupSteps, std::int64_t{4000});
        QCOMPARE(config.schedule.dModel, std::int64_t{64});
        QCOMPARE(config.loss.labelSmoothing, 0.1);
        QVERIFY(config.loss.convention == LabelSmoothing::AnnotatedTransformer);
        QCOMPARE(config.accumulate, std::int64_t{4});
        const json written = toJson(config);
        QVERIFY(toJson(trainingConfigFromJson(written, "again")) == written);

        const TrainingConfig descent = parseTrainingConfig(
            R"({"optimizer": {"name": "sgd", "momentum": 0.5, "weight_decay": 0.01},
                "schedule": {"name": "warmup_cosine_floor", "min_lr": 1e-5}})",
            "run.json");
        QVERIFY(descent.optimizer.kind == OptimizerKind::Sgd);
        QCOMPARE(descent.optimizer.momentum, 0.5);
        QCOMPARE(descent.optimizer.weightDecay, 0.01);
        QCOMPARE(descent.schedule.floor, 1e-5);
        QVERIFY(toJson(trainingConfigFromJson(toJson(descent), "again")) == toJson(descent));
    }

    void theObjectiveFollowsTheArchitecture()
    {
        const auto objective = [](const std::string& model) {
            return parseTrainingConfig("{\"model\": " + model + "}", "run.json").objective;
        };
        QVERIFY(objective("{}") == Objective::Causal);
        QVERIFY(objective(R"({"architecture": "encoder"})") == Objective::Masked);
        QVERIFY(objective(R"({"architecture": "encoder-decoder"})") == Objective::Seq2seq);
    }

    void maskedStoriesBecomePairsOfSentences()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 40000, "vocab_size": 400,
                         "validation_share": 0.1},
                "model": {"preset": "bert-toy", "max_len": 32}, "batch_size": 4})",
            "run.json");
        const PreparedData data = prepareData(config);
        const Batch batch = data.batches->trainingBatch(1, 0);
        QCOMPARE(batch.nextSentence.size(), std::size_t{4});
        QCOMPARE(batch.segments.size(), std::size_t{128});
        QCOMPARE(batch.keyMask.size(), std::size_t{128});
        const auto ids = data.tokenizer->encode("The cat sat.").ids();
        QCOMPARE(data.tokenizer->decode(std::span(ids).first(1)), "[CLS]");
        QCOMPARE(data.tokenizer->decode(std::span(ids).last(1)), "[SEP]");
        config.model.nextSentence = false;
        QVERIFY(prepareData(config).batches->trainingBatch(1, 0).nextSentence.empty());
    }

    void sequencesBecomeSourcesAndTargets()
    {
        const TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "sort", "max_length": 6}, "batch_size": 3,
                "model": {"preset": "t5-toy", "max_len": 16}})",
            "run.json");
        const PreparedData data = prepareData(config);
        QCOMPARE(data.model.vocabularySize, std::int64_t{259});
        const Batch batch = data.batches->trainingBatch(1, 0);
        QCOMPARE(batch.rows, std::int64_t{3});
        QCOMPARE(batch.sourceLength, std::int64_t{7});
        QCOMPARE(data.batches->validationBatchCount(), config.data.validationBatches);
    }

    void everySequenceTaskHasSources()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "copy", "max_length": 6}, "batch_size": 1,
                "model": {"preset": "t5-toy", "max_len": 128}})",
            "run.json");
        for (const TrainingTask task :
             {TrainingTask::Reverse, TrainingTask::Copy, TrainingTask::Sort, TrainingTask::Addition,
              TrainingTask::Dates, TrainingTask::Phrases}) {
            config.data.task = task;
            QVERIFY(!prepareData(config).batches->trainingBatch(1, 0).sources.empty());
        }
    }

    void pathsAreRelativeToTheConfiguration()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        writeAtomically(path / "words.txt", "a b\nb c\nc d\nd e\n");
        writeAtomically(path / "run.json", R"({"data": {"text": "words.txt"}})");
        const TrainingConfig config = loadTrainingConfig(path / "run.json");
        QCOMPARE(config.data.text, (path / "words.txt").string());
        QVERIFY_EXCEPTION_THROWN(loadTrainingConfig(path), Error);
        QVERIFY_EXCEPTION_THROWN(loadTrainingConfig(path / "absent.json"), Error);
    }

    void textBecomesTokenizerAndBatches()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        std::string lines;
        for (int i = 0; i < 200; ++i)
            lines += "the line number " + std::to_string(i) + " is here\n";
        writeAtomically(path / "lines.txt", lines);
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"text": "lines.txt", "vocab_size": 280}, "model": {"max_len": 16},
                "batch_size": 2})",
            "run.json", path);
        std::vector<std::string> reported;
        const PreparedData data =
            prepareData(config, [&](const std::string& what) { reported.push_back(what); });
        QCOMPARE(reported.size(), std::size_t{3});
        QCOMPARE(data.tokenizer->vocabularySize(), std::size_t{280});
        QCOMPARE(data.model.vocabularySize, std::int64_t{280});
        QCOMPARE(data.tokenizer->encode("x").ids().front(), *data.tokenizer->endOfText());
        QVERIFY(data.text != nullptr);
        const Batch batch = data.batches->trainingBatch(1, 0);
        QCOMPARE(batch.length, std::int64_t{16});
        QCOMPARE(batch.rows, std::int64_t{2});
        const PreparedData again = prepareData(config);
        QVERIFY(again.tokenizer->vocabulary() == data.tokenizer->vocabulary());
        QVERIFY(again.batches->trainingBatch(1, 5).inputs ==
                data.batches->trainingBatch(1, 5).inputs);

        saveTokenizer(*data.tokenizer, path / "tokenizer.json");
        config.data.tokenizer = (path / "tokenizer.json").string();
        config.model.vocabularySize = 512; // larger than needed is allowed, smaller is not
        QCOMPARE(prepareData(config).model.vocabularySize, std::int64_t{512});
        config.model.vocabularySize = 279;
        QVERIFY_EXCEPTION_THROWN(prepareData(config), Error);
    }

    void tasksBecomeBatches()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 30000, "vocab_size": 400},
                "model": {"max_len": 32}})",
            "run.json");
        const PreparedData stories = prepareData(config);
        QCOMPARE(stories.model.vocabularySize, std::int64_t{400});
        QVERIFY(stories.text != nullptr && stories.text->validationTokens().size() > 10);
        config.data.task = TrainingTask::Repeat;
        const PreparedData repeat = prepareData(config);
        QVERIFY(repeat.text == nullptr);
        QCOMPARE(repeat.model.vocabularySize,
                 static_cast<std::int64_t>(repeat.tokenizer->vocabularySize()));
        QCOMPARE(repeat.batches->validationBatchCount(), config.data.validationBatches);
    }

    void impossibleDataIsRefused()
    {
        QVERIFY_EXCEPTION_THROWN(prepareData(TrainingConfig()), Error);
        TrainingConfig config;
        config.data.text = "/absent/text.txt";
        QVERIFY_EXCEPTION_THROWN(prepareData(config), FormatError);
        config.data.text = "/dev/zero";
        QVERIFY_EXCEPTION_THROWN(prepareData(config), FormatError);
        config.data.text.clear();
        config.data.task = TrainingTask::Stories;
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(prepareData(config, {}, source.get_token()), Cancelled);
    }
};

HEADSCOPE_TEST(TstTrainingConfig)
#include "tst_training_config.moc"
