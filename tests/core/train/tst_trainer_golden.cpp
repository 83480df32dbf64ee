// labels: golden threads
#include "core/attention/cpu_attention.h"
#include "core/train/trainer.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Golden GPTs: 61 tokens, learned positions, tied head; every number from the file.
ModelConfig configOf(const GoldenFile& golden)
{
    const nlohmann::json& params = golden.params();
    ModelConfig config;
    config.vocabularySize = params.at("vocab");
    config.dModel = params.at("d");
    config.heads = params.at("heads");
    config.layers = params.at("layers");
    config.dFf = params.at("ff");
    config.maxLen = params.at("T_max");
    config.normEpsilon = params.at("ln_eps");
    config.activation = params.at("gelu") == "tanh" ? Activation::GeluTanh : Activation::GeluExact;
    return config;
}

TrainingState stateOf(const GoldenFile& golden, const ModelConfig& config)
{
    TrainingState state;
    state.parameters = ParameterSet(config);
    for (const ParameterSpec& spec : state.parameters.specs()) {
        const Tensor values = golden.tensor("w." + spec.name);
        std::ranges::copy(values.values(), state.parameters.view(spec).data);
    }
    return state;
}

Batch batchOf(const GoldenFile& golden, std::int64_t step, std::int64_t rows, std::int64_t length)
{
    const std::vector<std::int64_t> ids = golden.integers("in.ids");
    const std::vector<std::int64_t> targets = golden.integers("in.targets");
    Batch batch{rows, length, {}, {}};
    for (std::int64_t i = step * rows * length; i < (step + 1) * rows * length; ++i) {
        batch.inputs.push_back(static_cast<TokenId>(ids[static_cast<std::size_t>(i)]));
        batch.targets.push_back(static_cast<TokenId>(targets[static_cast<std::size_t>(i)]));
    }
    return batch;
}

Trainer::Settings cpuSettings()
{
    Trainer::Settings settings;
    settings.seed = 11;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return settings;
}

} // namespace

class TstTrainerGolden : public QObject
{
    Q_OBJECT

private slots:

    void lossAndGradientsAgreeWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const std::string& path : goldenFiles("models", "gpt_preln"))
            QTest::newRow(path.c_str()) << QString::fromStdString(path);
    }

    void lossAndGradientsAgreeWithTorch()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        const ModelConfig config = configOf(golden);
        Trainer trainer(config, stateOf(golden, config), cpuSettings());
        const std::vector<std::int64_t> shape = golden.shape("in.ids");
        const Batch batch = batchOf(golden, 0, shape[0], shape[1]);
        ParameterSet gradients;
        const std::vector<double> loss{trainer.lossAndGradients(batch, gradients)};
        HS_COMPARE(std::span<const double>(loss), golden.expected("out.loss"), kModelOutputs);
        QVERIFY(std::abs(trainer.evaluate(batch) - loss[0]) < 1e-6);
        for (const ParameterSpec& spec : gradients.specs()) {
            const auto values = gradients.values().subspan(
                spec.offset, static_cast<std::size_t>(spec.shape.elementCount()));
            const std::string problem =
                mismatch(std::span<const float>(values), golden.expected("grad." + spec.name),
                         kModelGradients);
            QVERIFY2(problem.empty(), (spec.name + ": " + problem).c_str());
        }
    }

    void trainingCurvesAgreeWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const std::string& path : goldenFiles("models", "gpt_train"))
            QTest::newRow(path.c_str()) << QString::fromStdString(path);
    }

    void trainingCurvesAgreeWithTorch()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        const nlohmann::json& params = golden.params();
        Trainer::Settings settings = cpuSettings();
        OptimizerSettings& optimizer = settings.optimizer;
        optimizer.learningRate = params.at("lr");
        optimizer.beta1 = params.at("beta1");
        optimizer.beta2 = params.at("beta2");
        optimizer.epsilon = params.at("eps");
        optimizer.weightDecay = params.at("weight_decay");
        // The files' description: without clipping decay is on every parameter, with it on matrices
        // only.
        optimizer.decayMatricesOnly = !params.at("clip").is_null();
        optimizer.clipNorm.reset();
        if (!params.at("clip").is_null())
            optimizer.clipNorm = params.at("clip").get<double>();
        settings.schedule.warmupSteps = params.at("warmup");
        settings.schedule.totalSteps = params.at("total");
        if (settings.schedule.warmupSteps > 0)
            settings.schedule.kind = ScheduleSettings::Kind::WarmupCosine;

        const ModelConfig config = configOf(golden);
        Trainer trainer(config, stateOf(golden, config), settings);
        const std::vector<std::int64_t> shape = golden.shape("in.ids");
        std::vector<double> losses;
        std::vector<double> norms;
        std::vector<double> rates;
        for (std::int64_t step = 0; step < shape[0]; ++step) {
            const StepReport report = trainer.step(batchOf(golden, step, shape[1], shape[2]));
            losses.push_back(report.loss);
            norms.push_back(report.gradientNorm);
            rates.push_back(report.learningRate);
        }
        HS_COMPARE(std::span<const double>(losses), golden.expected("out.loss"), kTrainingCurve);
        HS_COMPARE(std::span<const double>(norms), golden.expected("out.grad_norm"),
                   kTrainingCurve);
        if (golden.contains("out64.lr"))
            HS_COMPARE(std::span<const double>(rates), golden.doubles("out64.lr"),
                       (Tolerance{1e-15, 1e-12}));
        for (const ParameterSpec& spec : trainer.state().parameters.specs()) {
            if (spec.name.ends_with("attn.k.bias"))
                continue; // its gradient is rounding noise, which Adam scales up
            const auto values = trainer.state().parameters.values().subspan(
                spec.offset, static_cast<std::size_t>(spec.shape.elementCount()));
            const std::string problem =
                mismatch(values, golden.expected("out.final." + spec.name), kTrainedWeights);
            QVERIFY2(problem.empty(), (spec.name + ": " + problem).c_str());
        }
    }
};

HEADSCOPE_TEST(TstTrainerGolden)
#include "tst_trainer_golden.moc"
