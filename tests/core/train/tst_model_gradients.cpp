#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/weights/running_statistics.h"
#include "core/train/trainer.h"
#include "tests/support/golden.h"
#include "tests/support/gradient_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <stdexcept>

using namespace headscope;
using namespace headscope::test;

namespace {

using Case = GradientCase;

constexpr std::uint64_t kSeed = 1; ///< no token is nearly undecided between two experts

/// Weights far from a start: gammas near 1, biases and offsets that matter.
ParameterSet parametersOf(const Case& one)
{
    ParameterSet parameters(one.config);
    std::uint64_t stream = 0;
    for (const ParameterSpec& spec : parameters.specs()) {
        Random random(kSeed, stream++);
        const bool gamma = spec.shape.rank() == 1 && spec.name.ends_with(".weight") &&
                           one.config.norm != Norm::RmsUnitOffset;
        const MutableTensorView view = parameters.view(spec);
        for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
            view.data[i] = static_cast<float>((gamma ? 1.0 : 0.0) + one.initStd * random.normal());
    }
    return parameters;
}

std::vector<TokenId> someIds(Random& random, std::int64_t count, std::int64_t vocabulary)
{
    std::vector<TokenId> ids;
    for (std::int64_t i = 0; i < count; ++i)
        ids.push_back(static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary))));
    return ids;
}

/// Three rows, the second padded behind, the third before: with a causal mask some of its queries
/// see nothing at all.
std::vector<std::uint8_t> padding(std::int64_t length)
{
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(3 * length), 1);
    std::fill_n(mask.begin() + 2 * length - 2, 4, std::uint8_t{0});
    return mask;
}

Batch batchOf(const Case& one)
{
    const ModelConfig& config = one.config;
    Random random(5, 1);
    Batch batch;
    batch.rows = 3;
    batch.length = config.experts.count > 0 ? 12 : 7; // every expert has tokens
    batch.inputs = someIds(random, batch.rows * batch.length, config.vocabularySize);
    batch.targets = someIds(random, batch.rows * batch.length, config.vocabularySize);
    batch.keyMask = padding(batch.length);
    for (std::size_t i = 0; i < batch.targets.size(); ++i)
        if (i % 6 == 4 || batch.keyMask[i] == 0 || !config.languageHead)
            batch.targets[i] = kIgnoredTarget;
    if (config.tokenTypes > 0)
        for (std::size_t i = 0; i < batch.inputs.size(); ++i)
            batch.segments.push_back(i % 3 == 0 ? 0 : 1);
    if (config.nextSentence)
        batch.nextSentence = {1, kIgnoredTarget, 0};
    if (one.customMask)
        for (std::int64_t cell = 0; cell < batch.length * batch.length; ++cell)
            batch.mask.push_back(cell % 3 != 1 || cell % (batch.length + 1) == 0 ? 1 : 0);
    if (config.isEncoderDecoder()) {
        batch.sourceLength = 5;
        batch.sources = someIds(random, batch.rows * 5, config.vocabularySize);
        batch.sourceKeyMask = padding(5);
    }
    return batch;
}

/// The loss in training, dropout included, and its gradients.
double lossOf(const Case& one, const ParameterSet& parameters, ParameterSet& gradients,
              std::int64_t accumulate = 1)
{
    TrainingState state;
    state.parameters = parameters;
    Trainer::Settings settings;
    settings.loss = one.loss;
    settings.seed = 3;
    settings.accumulate = accumulate;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    Trainer trainer(one.config, std::move(state), settings);
    return trainer.lossAndGradients(batchOf(one), gradients);
}

double lengthOf(const std::vector<double>& vector)
{
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

/// A direction of length 1 that leans as much towards the gradient as into a random direction: a
/// gradient that vanished or has a wrong length shows along the first, one that points elsewhere
/// along the second.
std::vector<double> directionFor(std::span<const float> gradient, std::uint64_t seed)
{
    std::vector<double> direction(gradient.begin(), gradient.end());
    std::vector<double> other(gradient.size());
    Random random(seed, 9);
    std::generate(other.begin(), other.end(), [&] { return random.normal(); });
    const double length = lengthOf(direction);
    const double towards =
        std::inner_product(direction.begin(), direction.end(), other.begin(), 0.0);
    const double scale = (towards < 0.0 ? -length : length) / lengthOf(other);
    for (std::size_t i = 0; i < direction.size(); ++i)
        direction[i] = length > 0.0 ? direction[i] + scale * other[i] : other[i];
    const double whole = lengthOf(direction);
    for (double& value : direction)
        value /= whole;
    return direction;
}

/// d loss / d t of parameters + t direction at 0, by differences of fourth order.
double slope(const Case& one, const ParameterSet& parameters, const ParameterSpec& spec,
             const std::vector<double>& direction, double step)
{
    ParameterSet moved = parameters;
    ParameterSet unused;
    const auto at = [&](double t) {
        const MutableTensorView to = moved.view(spec);
        const TensorView from = parameters.view(spec);
        for (std::size_t i = 0; i < direction.size(); ++i)
            to.data[i] = static_cast<float>(static_cast<double>(from.data[i]) + t * direction[i]);
        return lossOf(one, moved, unused);
    };
    return (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
}

/// Softmax does not see what is added to all scores of a query, and that is all that a bias of the
/// keys does unless the keys turn or the scores are bent; with one expert a token the weights are 1
/// whatever the router says. Nobody looks at an encoder without cross-attention. Running statistics
/// have no gradient, and BatchNorm subtracts what a bias adds to every token.
bool mayVanish(const Case& one, const std::string& name)
{
    if ((one.config.layers == 0 && name.starts_with("enc.")) || isRunningStatistic(name))
        return true;
    if (one.config.norm == Norm::Batch && name.ends_with(".bias"))
        return true;
    if (name.ends_with("cross.k.bias") || name.ends_with("attn.k.bias"))
        return true;
    return name.ends_with("router.weight") && one.config.experts.topK == 1 &&
           one.config.experts.balanceCoefficient == 0.0;
}

struct Bounds
{
    double step = 0.01;
    double absolute = 2e-4;
};

constexpr double kRelative = 1e-2;

/// Length of a tensor's gradient from which on it counts as exercised; rounding leaves 1e-7.
constexpr double kSmallest = 1e-4;

/// The loss is a mean of logarithms of float32 logits, so that rounding moves it by up to 1e-6,
/// which the quotient divides by the step: 1e-4 where the loss is smooth, and a smaller remainder
/// of fifth order. Scores that are not scaled bend the loss more; ReLU has kinks, and with experts
/// it jumps where a token changes its expert: their steps are so small that no token here does.
Bounds boundsFor(const ModelConfig& config)
{
    if (config.experts.count > 0)
        return {5e-4, 4e-3};
    if (config.activation == Activation::Relu)
        return {2e-3, 1e-3};
    if (!config.scaleScores)
        return {0.003, 5e-4};
    return {};
}

std::string tensorProblem(const Case& one, const ParameterSet& parameters,
                          const ParameterSpec& spec, std::span<const float> gradient)
{
    const Bounds bounds = boundsFor(one.config);
    const std::vector<double> exact(gradient.begin(), gradient.end());
    const double length = lengthOf(exact);
    if (length < kSmallest && !mayVanish(one, spec.name))
        return fmt::format("{}: a gradient of length {}", spec.name, length);
    const std::vector<double> direction = directionFor(gradient, spec.offset);
    const double analytic = std::inner_product(exact.begin(), exact.end(), direction.begin(), 0.0);
    const double numeric = slope(one, parameters, spec, direction, bounds.step);
    if (std::abs(analytic - numeric) <= bounds.absolute + kRelative * std::abs(numeric))
        return {};
    return fmt::format("{}: slope {} by the gradient, {} by differences", spec.name, analytic,
                       numeric);
}

void addAll()
{
    QTest::addColumn<int>("index");
    const std::vector<Case> cases = gradientCases();
    for (std::size_t i = 0; i < cases.size(); ++i)
        QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
}

Case caseOf(const std::string& name)
{
    const std::vector<Case> cases = gradientCases();
    const auto found =
        std::find_if(cases.begin(), cases.end(), [&](const Case& one) { return one.name == name; });
    return found != cases.end() ? *found : throw std::runtime_error("no case " + name);
}

std::span<const float> valuesOf(const ParameterSet& set, const ParameterSpec& spec)
{
    return set.values().subspan(spec.offset, static_cast<std::size_t>(spec.shape.elementCount()));
}

} // namespace

class TstModelGradients : public QObject
{
    Q_OBJECT

private slots:

    void everyTensorHasTheGradientOfTheWholeLoss_data() { addAll(); }

    void everyTensorHasTheGradientOfTheWholeLoss()
    {
        QFETCH(int, index);
        const Case one = gradientCases()[static_cast<std::size_t>(index)];
        const ParameterSet parameters = parametersOf(one);
        ParameterSet gradients;
        lossOf(one, parameters, gradients);
        std::string problems;
        for (const ParameterSpec& spec : parameters.specs()) {
            const std::string problem =
                tensorProblem(one, parameters, spec, valuesOf(gradients, spec));
            problems += problem.empty() ? problem : "\n" + problem;
        }
        QVERIFY2(problems.empty(), problems.c_str());
    }

    void aMissingOrWrongGradientOfAnyTensorIsNoticed_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"learned", "latent, both ranks and rope", "gated experts",
                                 "encoder with everything of BERT", "relative",
                                 "t5 1.1: source and target share, the head does not"})
            QTest::newRow(name) << name;
    }

    void aMissingOrWrongGradientOfAnyTensorIsNoticed()
    {
        QFETCH(QString, name);
        const Case one = caseOf(name.toStdString());
        const ParameterSet parameters = parametersOf(one);
        ParameterSet gradients;
        lossOf(one, parameters, gradients);
        for (const ParameterSpec& spec : parameters.specs()) {
            if (mayVanish(one, spec.name))
                continue;
            const std::span<const float> right = valuesOf(gradients, spec);
            const std::vector<float> none(right.size());
            QVERIFY2(!tensorProblem(one, parameters, spec, none).empty(), spec.name.c_str());
            std::vector<float> longer(right.begin(), right.end());
            for (float& value : longer)
                value *= 1.5F;
            const std::vector<double> exact(right.begin(), right.end());
            if (lengthOf(exact) > 10.0 * boundsFor(one.config).absolute)
                QVERIFY2(!tensorProblem(one, parameters, spec, longer).empty(), spec.name.c_str());
        }
    }

    void partsOfABatchGiveTheGradientsOfTheWhole_data() { addAll(); }

    void partsOfABatchGiveTheGradientsOfTheWhole()
    {
        QFETCH(int, index);
        const Case one = gradientCases()[static_cast<std::size_t>(index)];
        if (one.config.norm == Norm::Batch)
            return; // every part has moments of its own
        const ParameterSet parameters = parametersOf(one);
        ParameterSet whole;
        ParameterSet parts;
        const double loss = lossOf(one, parameters, whole);
        QVERIFY(std::abs(lossOf(one, parameters, parts, 3) - loss) < 1e-6 * (1.0 + loss));
        for (const ParameterSpec& spec : parameters.specs()) {
            const std::span<const float> got = valuesOf(parts, spec);
            const std::span<const float> expected = valuesOf(whole, spec);
            // Float32 sums of the same terms in another order.
            const std::string problem =
                mismatch(got, std::vector<double>(expected.begin(), expected.end()), {5e-6, 1e-4});
            QVERIFY2(problem.empty(), (spec.name + ": " + problem).c_str());
        }
    }

    void aModelWithoutALanguageHeadTakesNoTokenTargets()
    {
        const Case one = caseOf("next sentences and no other head");
        TrainingState state;
        state.parameters = parametersOf(one);
        Trainer::Settings settings;
        settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
        Trainer trainer(one.config, std::move(state), settings);
        Batch batch = batchOf(one);
        batch.targets.front() = 1;
        QVERIFY_EXCEPTION_THROWN(trainer.step(batch), ShapeError);
        QVERIFY_EXCEPTION_THROWN(trainer.evaluate(batch), ShapeError);
    }
};

HEADSCOPE_TEST(TstModelGradients)
#include "tst_model_gradients.moc"
