#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/model/weights/running_statistics.h"
#include "core/train/data/batch_part.h"
#include "core/train/trainer.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <utility>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig configWith(Norm norm, std::int64_t layers = 2)
{
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.vocabularySize = 23;
    config.dModel = 12;
    config.heads = 3;
    config.layers = layers;
    config.dFf = 20;
    config.maxLen = 8;
    config.norm = norm;
    config.initStd = 0.5;
    return config;
}

/// Three texts of 6, 4 and 5 tokens.
Batch batchOf(TokenId padding = 0)
{
    Batch batch;
    batch.rows = 3;
    batch.length = 6;
    const std::int64_t lengths[] = {6, 4, 5};
    for (std::int64_t row = 0; row < 3; ++row) {
        for (std::int64_t i = 0; i < 6; ++i) {
            const bool isShown = i < lengths[row];
            batch.inputs.push_back(isShown ? static_cast<TokenId>((7 * row + 5 * i + 1) % 23)
                                           : padding);
            batch.targets.push_back(isShown ? static_cast<TokenId>((3 * row + i) % 23)
                                            : kIgnoredTarget);
            batch.keyMask.push_back(isShown ? 1 : 0);
        }
    }
    return batch;
}

Trainer trainerOf(const ModelConfig& config, Trainer::Settings settings = {})
{
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return {config, initialState(config, 3), std::move(settings)};
}

double trainingLoss(const ModelConfig& config, const Batch& batch)
{
    ParameterSet gradients;
    return trainerOf(config).lossAndGradients(batch, gradients);
}

bool near(double a, double b, double error = 1e-5)
{
    return std::abs(a - b) < error;
}

class NoPart final : public BatchPart
{
public:
    std::int64_t part() const override { return 0; }

    std::int64_t parts() const override { return 1; }

    void begin(const SharedPass&) override {}

    void sum(std::span<float>, PassLosses&) override {}
};

} // namespace

class TstBatchNormTraining : public QObject
{
    Q_OBJECT

private slots:

    /// Without blocks the final norm sees the embeddings, whose moments are known.
    void aStepMovesRunningStatisticsByATenth()
    {
        const ModelConfig config = configWith(Norm::Batch, 0);
        Trainer trainer = trainerOf(config);
        const Batch batch = batchOf();
        const ParameterSet before = Model::initialised(config, 3).parameters();
        const TensorView words = before.view("tok_emb.weight");
        const TensorView places = before.view("pos_emb.weight");
        trainer.step(batch);
        const ParameterSet& after = trainer.state().parameters;
        for (std::int64_t channel = 0; channel < config.dModel; ++channel) {
            double sum = 0.0;
            double squares = 0.0;
            for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
                const double x = double{words(batch.inputs[i], channel)} +
                                 double{places(static_cast<std::int64_t>(i) % 6, channel)};
                sum += batch.keyMask[i] != 0 ? x : 0.0;
                squares += batch.keyMask[i] != 0 ? x * x : 0.0;
            }
            const double mean = sum / 15.0;
            const double variance = (squares - 15.0 * mean * mean) / 14.0;
            QVERIFY(near(after.view("ln_f.running_mean")(channel), 0.1 * mean));
            QVERIFY(near(after.view("ln_f.running_var")(channel), 0.9 + 0.1 * variance));
        }
    }

    void partsOfABatchCountAlike()
    {
        Trainer::Settings settings;
        settings.accumulate = 3;
        Trainer trainer = trainerOf(configWith(Norm::Batch, 0), settings);
        const Batch batch = batchOf();
        trainer.step(batch);
        std::vector<double> expected(12, 0.0);
        for (std::int64_t row = 0; row < 3; ++row) {
            Trainer alone = trainerOf(configWith(Norm::Batch, 0));
            alone.step(batchRows(batch, row, row + 1));
            for (std::int64_t channel = 0; channel < 12; ++channel)
                expected[static_cast<std::size_t>(channel)] +=
                    double{alone.state().parameters.view("ln_f.running_mean")(channel)} / 3.0;
        }
        for (std::int64_t channel = 0; channel < 12; ++channel)
            QVERIFY(near(trainer.state().parameters.view("ln_f.running_mean")(channel),
                         expected[static_cast<std::size_t>(channel)]));
    }

    void noGradientAndNoDecayReachesThem()
    {
        Trainer::Settings settings;
        settings.optimizer.weightDecay = 0.5;
        settings.optimizer.decayMatricesOnly = false;
        Trainer trainer = trainerOf(configWith(Norm::Batch), settings);
        ParameterSet gradients;
        trainer.lossAndGradients(batchOf(), gradients);
        for (const ParameterSpec& spec : gradients.specs()) {
            if (isRunningStatistic(spec.name))
                for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
                    QCOMPARE(std::as_const(gradients).view(spec).data[i], 0.0F);
        }
        trainer.step(batchOf());
        const ParameterSet decayed = trainer.state().parameters;
        Trainer plain = trainerOf(configWith(Norm::Batch));
        plain.step(batchOf());
        for (const ParameterSpec& spec : decayed.specs()) {
            if (isRunningStatistic(spec.name))
                for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
                    QCOMPARE(decayed.view(spec).data[i],
                             plain.state().parameters.view(spec).data[i]);
        }
    }

    void paddingDoesNotCount()
    {
        const ModelConfig config = configWith(Norm::Batch);
        QCOMPARE(trainingLoss(config, batchOf(0)), trainingLoss(config, batchOf(11)));
        Batch counted = batchOf(11);
        counted.keyMask.clear();
        QVERIFY(!near(trainingLoss(config, counted), trainingLoss(config, batchOf(11)), 1e-3));
    }

    /// What the others of a batch do to one text: nothing with LayerNorm, and nothing in use.
    void otherTextsMatterInTrainingAlone_data()
    {
        QTest::addColumn<bool>("batch");
        QTest::newRow("BatchNorm") << true;
        QTest::newRow("LayerNorm") << false;
    }

    void otherTextsMatterInTrainingAlone()
    {
        QFETCH(bool, batch);
        const ModelConfig config = configWith(batch ? Norm::Batch : Norm::Layer);
        Batch one = batchOf();
        std::fill(one.targets.begin() + 6, one.targets.end(), kIgnoredTarget);
        Batch other = one;
        for (std::size_t i = 6; i < other.inputs.size(); ++i)
            other.inputs[i] = (other.inputs[i] + 9) % 23;
        QCOMPARE(near(trainingLoss(config, one), trainingLoss(config, other), 1e-4), !batch);
        Trainer trainer = trainerOf(config);
        QVERIFY(near(trainer.evaluate(one), trainer.evaluate(other), 1e-6));
    }

    void otherNormsStartWithTheSameNumbers()
    {
        const ParameterSet layer = Model::initialised(configWith(Norm::Layer), 3).parameters();
        const ParameterSet batch = Model::initialised(configWith(Norm::Batch), 3).parameters();
        for (const ParameterSpec& spec : layer.specs())
            for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
                QCOMPARE(batch.view(spec.name).data[i], layer.view(spec).data[i]);
        QCOMPARE(batch.parameterCount(), layer.parameterCount());
        QCOMPARE(batch.view("h.1.ln2.running_var")(5), 1.0F);
    }

    void aCheckpointKeepsThem()
    {
        const ModelConfig config = configWith(Norm::Batch);
        Trainer trainer = trainerOf(config);
        for (int step = 0; step < 3; ++step)
            trainer.step(batchOf());
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.filePath("m.safetensors").toStdString());
        saveCheckpoint(path, *trainer.snapshot());
        const LoadedModel loaded = loadCheckpoint(path);
        QVERIFY(loaded.model->config() == config);
        for (const ParameterSpec& spec : loaded.model->parameters().specs())
            for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
                QCOMPARE(loaded.model->parameters().view(spec).data[i],
                         trainer.state().parameters.view(spec).data[i]);
    }

    void processesDoNotShareItsBatches()
    {
        Trainer::Settings settings;
        settings.batchPart = std::make_shared<NoPart>();
        QVERIFY_EXCEPTION_THROWN(trainerOf(configWith(Norm::Batch), settings), Error);
        trainerOf(configWith(Norm::Layer), settings);
    }
};

HEADSCOPE_TEST(TstBatchNormTraining)
#include "tst_batch_norm_training.moc"
