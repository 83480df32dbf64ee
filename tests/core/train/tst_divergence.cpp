#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/weights/running_statistics.h"
#include "core/train/trainer.h"
#include "tests/support/model_batches.h"
#include "tests/support/model_kinds.h"
#include "tests/support/run_record.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <limits>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

Trainer::Settings cpuSettings(double learningRate = 1e-3)
{
    Trainer::Settings settings;
    settings.optimizer.learningRate = learningRate;
    settings.optimizer.weightDecay = 0.0;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return settings;
}

/// What a step says that fails; empty for one that does not.
std::string failureOf(Trainer& trainer, const Batch& batch)
{
    try {
        trainer.step(batch);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string difference(const TrainingState& got, const TrainingState& expected)
{
    if (got.step != expected.step)
        return "the steps differ";
    for (const auto part :
         {&TrainingState::parameters, &TrainingState::firstMoment, &TrainingState::secondMoment}) {
        const std::string problem = headscope::test::difference(
            std::as_const(got.*part).values(), std::as_const(expected.*part).values(), Exactness{});
        if (!problem.empty())
            return problem;
    }
    return {};
}

/// How the sites of a parameter's block begin: "h.1.fc1.weight" -> "blocks.1.".
std::string sitesOf(const std::string& parameter)
{
    if (parameter.starts_with("enc."))
        return "encoder.1.";
    return parameter.starts_with("dec.") ? "decoder.1." : "blocks.1.";
}

bool isOfLayerOne(const std::string& name)
{
    return name.starts_with("h.1.") || name.starts_with("enc.1.") || name.starts_with("dec.1.");
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

class TstDivergence : public QObject
{
    Q_OBJECT

private slots:

    void nanInAWeightIsFoundInItsLayer_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (auto [name, config] : modelKinds()) {
            config.initStd = 0.3;
            if (config.layers > 0 && config.languageHead)
                QTest::newRow(name.c_str()) << config;
        }
    }

    void nanInAWeightIsFoundInItsLayer()
    {
        QFETCH(ModelConfig, config);
        config.dropout = 0.0;
        const ParameterSet good = Model::initialised(config, 1).parameters();
        const Batch batch = randomBatch(config, {3, 12, 9}, 2);
        for (const ParameterSpec& spec : good.specs()) {
            if (!isOfLayerOne(spec.name) || isRunningStatistic(spec.name)) // unused in training
                continue;
            TrainingState state{0, good, {}, {}};
            state.parameters.view(spec).data[spec.shape.elementCount() / 2] =
                std::numeric_limits<float>::quiet_NaN();
            Trainer trainer(config, state, cpuSettings());
            const std::string failure = failureOf(trainer, batch);
            const std::string context = spec.name + ": " + failure;
            QVERIFY2(failure.find("first in " + sitesOf(spec.name)) != std::string::npos,
                     context.c_str());
            QVERIFY2(failure.find("step 1") != std::string::npos, context.c_str());
            QCOMPARE(trainer.state().step, std::int64_t{0});
        }
    }

    /// One token's vector is infinite: batches with it fail, others do not.
    void aFailedStepIsAsIfItHadNeverBeen()
    {
        ModelConfig config = modelKinds().front().second;
        config.tieEmbeddings = false;
        TrainingState state{0, Model::initialised(config, 1).parameters(), {}, {}};
        state.parameters.view("tok_emb.weight")(7, 3) = std::numeric_limits<float>::infinity();
        const auto batchOf = [&](std::uint64_t seed, bool bad) {
            Batch batch = randomBatch(config, {3, 12, 0}, seed);
            std::ranges::replace(batch.inputs, 7, 8);
            if (bad)
                batch.inputs[5] = 7;
            return batch;
        };
        Trainer trainer(config, state, cpuSettings());
        Trainer spared(config, state, cpuSettings());
        for (std::uint64_t step = 0; step < 4; ++step) {
            const std::string failure = failureOf(trainer, batchOf(100 + step, true));
            const std::string expected = "step " + std::to_string(step + 1);
            QVERIFY2(failure.find(expected) != std::string::npos, failure.c_str());
            QVERIFY2(failure.find("first in hook_embed of row 0") != std::string::npos,
                     failure.c_str());
            HS_SAME(difference(trainer.state(), spared.state()));
            trainer.step(batchOf(step, false));
            spared.step(batchOf(step, false));
            HS_SAME(difference(trainer.state(), spared.state()));
        }
        QCOMPARE(trainer.state().step, std::int64_t{4});
    }

    void aRateThatIsTooHighIsNamedWithItsStep_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("AdamW") << static_cast<int>(OptimizerKind::AdamW);
        QTest::newRow("SGD") << static_cast<int>(OptimizerKind::Sgd);
    }

    void aRateThatIsTooHighIsNamedWithItsStep()
    {
        QFETCH(int, kind);
        ModelConfig config = modelKinds().front().second;
        config.normPosition = NormPosition::Post;
        Trainer::Settings settings = cpuSettings(1e36);
        settings.optimizer.kind = static_cast<OptimizerKind>(kind);
        Trainer trainer(config, {0, Model::initialised(config, 1).parameters(), {}, {}}, settings);
        TrainingState before = trainer.state();
        std::string failure;
        while (failure.empty() && trainer.state().step < 50) {
            before = trainer.state();
            failure = failureOf(trainer, randomBatch(config, {3, 12, 0}, 5));
        }
        const std::string expected = "step " + std::to_string(before.step + 1);
        QVERIFY2(before.step > 0 && failure.find(expected) != std::string::npos, failure.c_str());
        QVERIFY2(failure.find("first in ") != std::string::npos, failure.c_str());
        HS_SAME(difference(trainer.state(), before));
        Trainer tamed(config, {0, Model::initialised(config, 1).parameters(), {}, {}},
                      cpuSettings());
        for (int step = 0; step < 3; ++step)
            QVERIFY(failureOf(tamed, randomBatch(config, {3, 12, 0}, 5)).empty());
    }
};

HEADSCOPE_TEST(TstDivergence)
#include "tst_divergence.moc"
