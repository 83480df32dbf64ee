#include "core/base/random.h"
#include "core/train/data/batch.h"
#include "core/train/optimizer.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig smallModel()
{
    ModelConfig config;
    config.vocabularySize = 11;
    config.dModel = 8;
    config.heads = 2;
    config.layers = 1;
    config.dFf = 16;
    config.maxLen = 4;
    return config;
}

ParameterSet randomSet(std::uint64_t seed)
{
    ParameterSet set(smallModel());
    Random random(seed);
    for (float& value : set.values())
        value = static_cast<float>(random.normal());
    return set;
}

TrainingState freshState()
{
    TrainingState state;
    state.parameters = randomSet(1);
    state.firstMoment = ParameterSet(smallModel());
    state.secondMoment = ParameterSet(smallModel());
    return state;
}

/// Every parameter in double, by the formulas of parameter_updates.h.
std::vector<double> expectedWeights(const OptimizerSettings& settings, int steps)
{
    const ParameterSet start = randomSet(1);
    std::vector<double> w(start.values().begin(), start.values().end());
    std::vector<double> m(w.size()), v(w.size());
    for (int step = 1; step <= steps; ++step) {
        const ParameterSet gradients = randomSet(static_cast<std::uint64_t>(step) + 1);
        double squares = 0.0;
        for (const float g : gradients.values())
            squares += static_cast<double>(g) * g;
        const double scale = std::min(1.0, *settings.clipNorm / (std::sqrt(squares) + 1e-6));
        for (const ParameterSpec& spec : gradients.specs()) {
            const bool decays = !settings.decayMatricesOnly || spec.shape.rank() == 2;
            const double decay = decays ? settings.weightDecay : 0.0;
            const auto count = static_cast<std::size_t>(spec.shape.elementCount());
            for (std::size_t i = spec.offset; i < spec.offset + count; ++i) {
                double g = scale * gradients.values()[i];
                const bool isDecoupled = settings.kind == OptimizerKind::AdamW;
                g += isDecoupled ? 0.0 : decay * w[i];
                if (settings.kind == OptimizerKind::Sgd) {
                    m[i] = settings.momentum * m[i] + g;
                    w[i] -= settings.learningRate * m[i];
                    continue;
                }
                m[i] = settings.beta1 * m[i] + (1.0 - settings.beta1) * g;
                v[i] = settings.beta2 * v[i] + (1.0 - settings.beta2) * g * g;
                w[i] *= 1.0 - (isDecoupled ? settings.learningRate * decay : 0.0);
                w[i] -=
                    settings.learningRate * (m[i] / (1.0 - std::pow(settings.beta1, step))) /
                    (std::sqrt(v[i] / (1.0 - std::pow(settings.beta2, step))) + settings.epsilon);
            }
        }
    }
    return w;
}

} // namespace

class TstOptimizer : public QObject
{
    Q_OBJECT

private slots:

    void everyKindFollowsItsFormula_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("matricesOnly");
        for (const bool matricesOnly : {true, false}) {
            const char* const which = matricesOnly ? "matrices" : "all";
            QTest::addRow("AdamW, decay of %s", which) << 0 << matricesOnly;
            QTest::addRow("Adam, decay of %s", which) << 1 << matricesOnly;
            QTest::addRow("momentum, decay of %s", which) << 2 << matricesOnly;
        }
    }

    void everyKindFollowsItsFormula()
    {
        QFETCH(int, kind);
        QFETCH(bool, matricesOnly);
        OptimizerSettings settings;
        settings.kind = static_cast<OptimizerKind>(kind);
        settings.decayMatricesOnly = matricesOnly;
        settings.learningRate = 0.05;
        settings.weightDecay = 0.2;
        TrainingState state = freshState();
        Optimizer optimizer(settings, state.parameters);
        for (std::uint64_t step = 1; step <= 3; ++step) {
            std::vector<ParameterSet> parts{randomSet(step + 1)};
            const double norm = optimizer.sumGradients(parts);
            optimizer.update(state, parts[0], settings.learningRate, norm);
            ++state.step;
        }
        const std::vector<double> expected = expectedWeights(settings, 3);
        for (const ParameterSpec& spec : state.parameters.specs()) {
            const auto count = static_cast<std::size_t>(spec.shape.elementCount());
            const std::span<const float> got = state.parameters.values();
            HS_COMPARE(got.subspan(spec.offset, count),
                       std::span(expected).subspan(spec.offset, count), kOps);
        }
    }

    void gradientsOfWorkersAreAdded()
    {
        Optimizer optimizer({}, randomSet(1));
        std::vector<ParameterSet> parts{randomSet(2), randomSet(3)};
        std::vector<double> expected;
        double squares = 0.0;
        for (std::size_t i = 0; i < parts[0].values().size(); ++i) {
            expected.push_back(static_cast<double>(parts[0].values()[i]) + parts[1].values()[i]);
            squares += expected.back() * expected.back();
        }
        const std::vector<double> norm{optimizer.sumGradients(parts)};
        HS_COMPARE(std::span<const float>(parts[0].values()), expected, kOps);
        HS_COMPARE(std::span<const double>(norm), (std::vector<double>{std::sqrt(squares)}), kOps);
    }
};

HEADSCOPE_TEST(TstOptimizer)
#include "tst_optimizer.moc"
