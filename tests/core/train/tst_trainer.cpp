// labels: threads
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/trainer.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

Trainer::Settings cpuSettings()
{
    Trainer::Settings settings;
    settings.seed = 11;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return settings;
}

ModelConfig tinyConfig()
{
    ModelConfig config;
    config.vocabularySize = 13;
    config.dModel = 8;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 12;
    config.maxLen = 9;
    config.initialisation = Initialisation::FanIn;
    return config;
}

TrainingState randomState(const ModelConfig& config, std::uint64_t seed = 3)
{
    TrainingState state;
    state.parameters = ParameterSet(config);
    Random random(seed);
    for (const ParameterSpec& spec : state.parameters.specs()) {
        const MutableTensorView view = state.parameters.view(spec);
        for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
            view.data[i] = static_cast<float>(0.4 * random.normal());
    }
    return state;
}

Batch randomBatch(const ModelConfig& config, std::uint64_t seed, std::int64_t rows = 3,
                  std::int64_t length = 7)
{
    Random random(seed);
    Batch batch{rows, length, {}, {}};
    for (std::int64_t i = 0; i < rows * length; ++i) {
        const auto vocabulary = static_cast<std::uint64_t>(config.vocabularySize);
        batch.inputs.push_back(static_cast<TokenId>(random.below(vocabulary)));
        const bool ignored = random.below(4) == 0;
        batch.targets.push_back(ignored ? kIgnoredTarget
                                        : static_cast<TokenId>(random.below(vocabulary)));
    }
    return batch;
}

bool sameBits(const ParameterSet& a, const ParameterSet& b)
{
    return std::ranges::equal(a.values(), b.values(), [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
    });
}

bool sameBits(const TrainingState& a, const TrainingState& b)
{
    return a.step == b.step && sameBits(a.parameters, b.parameters) &&
           sameBits(a.firstMoment, b.firstMoment) && sameBits(a.secondMoment, b.secondMoment);
}

/// Loss as a function of the parameters, through a fresh Trainer each time.
std::string modelGradientMismatch(const ModelConfig& config)
{
    TrainingState state = randomState(config);
    const Batch batch = randomBatch(config, 5);
    ParameterSet gradients;
    ParameterSet ignored;
    Trainer(config, state, cpuSettings()).lossAndGradients(batch, gradients);
    const auto loss = [&] {
        return Trainer(config, state, cpuSettings()).lossAndGradients(batch, ignored);
    };
    return gradientMismatch(loss, state.parameters.values(), gradients.values());
}

} // namespace

class TstTrainer : public QObject
{
    Q_OBJECT

private slots:

    void gradientsAgreeWithDifferences_data()
    {
        QTest::addColumn<int>("variant");
        QTest::newRow("learned positions, tied, exact GELU") << 0;
        QTest::newRow("with dropout") << 1;
        QTest::newRow("no feed-forward part, untied") << 2;
        QTest::newRow("sinusoidal positions, scaled embeddings, tanh GELU") << 3;
        QTest::newRow("no positions, untied, dropout") << 4;
    }

    void gradientsAgreeWithDifferences()
    {
        QFETCH(int, variant);
        ModelConfig config = tinyConfig();
        if (variant == 1)
            config.dropout = 0.3;
        if (variant == 2) {
            config.dFf = 0;
            config.tieEmbeddings = false;
        }
        if (variant == 3) {
            config.positions = Positions::Sinusoidal;
            config.embeddingScale = 1.7;
            config.activation = Activation::GeluTanh;
        }
        if (variant == 4) {
            config.positions = Positions::None;
            config.tieEmbeddings = false;
            config.dropout = 0.1;
        }
        const std::string problem = modelGradientMismatch(config);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void sameSeedGivesTheSameBits()
    {
        ModelConfig config = tinyConfig();
        config.dropout = 0.2;
        Trainer first(config, randomState(config), cpuSettings());
        Trainer second(config, randomState(config), cpuSettings());
        for (std::uint64_t step = 0; step < 5; ++step) {
            const StepReport a = first.step(randomBatch(config, step));
            const StepReport b = second.step(randomBatch(config, step));
            QCOMPARE(a.loss, b.loss);
            QCOMPARE(a.gradientNorm, b.gradientNorm);
        }
        QVERIFY(sameBits(first.state(), second.state()));
        Trainer::Settings other = cpuSettings();
        other.seed = 12;
        Trainer third(config, randomState(config), other);
        third.step(randomBatch(config, 0));
        Trainer fourth(config, randomState(config), cpuSettings());
        fourth.step(randomBatch(config, 0));
        QVERIFY(!sameBits(third.state(), fourth.state()));
    }

    void resumingGivesTheBitsOfTheUninterruptedRun()
    {
        ModelConfig config = tinyConfig();
        config.dropout = 0.2;
        Trainer whole(config, randomState(config), cpuSettings());
        for (std::uint64_t step = 0; step < 6; ++step)
            whole.step(randomBatch(config, step));
        Trainer before(config, randomState(config), cpuSettings());
        for (std::uint64_t step = 0; step < 3; ++step)
            before.step(randomBatch(config, step));
        Trainer after(config, before.state(), cpuSettings());
        for (std::uint64_t step = 3; step < 6; ++step)
            after.step(randomBatch(config, step));
        QVERIFY(sameBits(whole.state(), after.state()));
    }

    void evaluationChangesNothingAndUsesNoDropout()
    {
        ModelConfig config = tinyConfig();
        config.dropout = 0.5;
        Trainer trainer(config, randomState(config), cpuSettings());
        const Batch batch = randomBatch(config, 1);
        const double loss = trainer.evaluate(batch);
        config.dropout = 0.0;
        Trainer plain(config, randomState(config), cpuSettings());
        ParameterSet gradients;
        QVERIFY(std::abs(plain.lossAndGradients(batch, gradients) - loss) < 1e-6);
        QVERIFY(sameBits(trainer.state(), plain.state()));
    }

    void snapshotsKeepTheParametersOfTheirMoment()
    {
        const ModelConfig config = tinyConfig();
        Trainer trainer(config, randomState(config), cpuSettings());
        const std::shared_ptr<const Model> snapshot = trainer.snapshot();
        const ParameterSet before = trainer.state().parameters;
        trainer.step(randomBatch(config, 1));
        QVERIFY(sameBits(snapshot->parameters(), before));
        QVERIFY(!sameBits(trainer.state().parameters, before));
    }

    void batchesOfAnyShapeFollowEachOther_data()
    {
        QTest::addColumn<bool>("tied");
        QTest::newRow("tied") << true;
        QTest::newRow("untied") << false;
    }

    /// Nothing of an earlier batch, larger or smaller, is left in activations or gradients.
    void batchesOfAnyShapeFollowEachOther()
    {
        QFETCH(bool, tied);
        ModelConfig config = tinyConfig();
        config.tieEmbeddings = tied;
        Trainer trainer(config, randomState(config), cpuSettings());
        Trainer fresh(config, randomState(config), cpuSettings());
        ParameterSet gradients;
        trainer.evaluate(randomBatch(config, 1, 5, 9));
        trainer.lossAndGradients(randomBatch(config, 2, 5, 9), gradients);
        trainer.lossAndGradients(randomBatch(config, 6, 1, 1), gradients);
        const Batch batch = randomBatch(config, 3, 4, 6);
        QCOMPARE(trainer.step(batch).loss, fresh.step(batch).loss);
        QVERIFY(sameBits(trainer.state(), fresh.state()));
    }

    void badBatchesAreRefusedAndChangeNothing()
    {
        const ModelConfig config = tinyConfig();
        Trainer trainer(config, randomState(config), cpuSettings());
        const TrainingState before = trainer.state();
        const Batch good = randomBatch(config, 1);
        std::vector<Batch> bad(7, good);
        bad[0].inputs[4] = 13;
        bad[1].inputs[0] = -1;
        bad[2].targets[3] = 13;
        bad[3].targets[3] = -7;
        bad[4].inputs.pop_back();
        bad[5] = randomBatch(config, 1, 2, 10);
        std::ranges::fill(bad[6].targets, kIgnoredTarget);
        bad.push_back({0, 7, {}, {}});
        bad.push_back({std::int64_t(1) << 62, 8, {}, {}});
        for (const Batch& batch : bad) {
            QVERIFY_EXCEPTION_THROWN(trainer.step(batch), ShapeError);
            QVERIFY_EXCEPTION_THROWN(trainer.evaluate(batch), ShapeError);
        }
        QVERIFY(sameBits(trainer.state(), before));
    }

    void aDivergedStepLeavesTheLastGoodState()
    {
        const ModelConfig config = tinyConfig();
        TrainingState state = randomState(config);
        state.parameters.values()[0] = std::numeric_limits<float>::infinity();
        Trainer trainer(config, state, cpuSettings());
        Batch batch = randomBatch(config, 1);
        batch.inputs[0] = 0;
        QVERIFY_EXCEPTION_THROWN(trainer.step(batch), Error);
        QCOMPARE(trainer.state().step, std::int64_t(0));
        QVERIFY(sameBits(trainer.state().parameters, state.parameters));
    }

    void statesThatDoNotFitAreRefused()
    {
        const ModelConfig config = tinyConfig();
        ModelConfig other = config;
        other.dFf = 24;
        QVERIFY_EXCEPTION_THROWN(Trainer(config, randomState(other), cpuSettings()), ShapeError);
        TrainingState state = randomState(config);
        state.step = 3; // a later step cannot be without moments
        QVERIFY_EXCEPTION_THROWN(Trainer(config, state, cpuSettings()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(Trainer(config, randomState(config), {}), ShapeError);
    }

    void scheduleWarmsUpAndDecays()
    {
        ScheduleSettings schedule{ScheduleSettings::Kind::WarmupCosine, 10, 30};
        QCOMPARE(schedule.rate(1.0, 0), 0.0);
        QCOMPARE(schedule.rate(1.0, 5), 0.5);
        QCOMPARE(schedule.rate(1.0, 10), 1.0);
        QVERIFY(std::abs(schedule.rate(1.0, 20) - 0.5) < 1e-12);
        QVERIFY(std::abs(schedule.rate(1.0, 40)) < 1e-12);
        QCOMPARE((ScheduleSettings{}.rate(0.25, 1000)), 0.25);
    }
};

HEADSCOPE_TEST(TstTrainer)
#include "tst_trainer.moc"
