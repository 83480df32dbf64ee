#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/model/pass/gradient_trace.h"
#include "core/model/pass/patches.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/small_models.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace headscope;
using namespace headscope::test;

namespace {

/// A gradient through a model in which something else was changed already.
struct Case
{
    std::string name;
    ModelConfig config;
    Interventions interventions;
    std::vector<TraceKey> sites; ///< whose gradients are compared with small patches
};

constexpr std::size_t kTokens = 6;

ModelConfig configOf(Architecture architecture)
{
    ModelConfig config = smallConfig();
    config.architecture = architecture;
    config.layers = 2;
    return config;
}

PatternEdit cell(TraceKey key, int head, std::int64_t query, std::int64_t token, bool rescale)
{
    return {key, head, query, token, {0.35F}, rescale};
}

/// An edited row, edited cells with and without rescaling, two of them in one row, a frozen head,
/// an ablated one: all in one stack.
Interventions everything(const LoadedModel& model, const SourceAndTarget& texts, Stack stack)
{
    const TraceKey pattern{Site::Pattern, 0, stack};
    Interventions changes;
    changes.ablatedHeads = {{selfAttentionOf(stack), 1, 3}};
    changes.patternEdits = {cell(pattern, 0, 4, 1, false), cell(pattern, 0, 4, 3, true),
                            cell(pattern, 2, 5, 0, true),
                            PatternEdit{pattern, 1, 3, std::nullopt, {0.1F, 0.2F, 0.3F, 0.4F}}};
    const TracePtr trace = freshTrace(model, texts);
    changes.patches = {patchFrom(*trace, {Site::Pattern, 1, stack}, 1),
                       patchFrom(*trace, {Site::Z, 0, stack}, 3, {2})};
    return changes;
}

std::vector<TraceKey> sitesOf(Stack stack)
{
    std::vector<TraceKey> keys;
    for (const int layer : {0, 1})
        for (const Site site : {Site::ResidPre, Site::Query, Site::Key, Site::Value, Site::ResidMid,
                                Site::MlpPost, Site::ResidPost})
            keys.push_back({site, layer, stack});
    return keys;
}

LoadedModel modelOf(const ModelConfig& config)
{
    return smallModel(3, config);
}

SourceAndTarget textsOf(const ModelConfig& config)
{
    return randomTexts(config, 8, kTokens);
}

Case everythingIn(const std::string& name, Architecture architecture, Stack stack)
{
    Case one{name, configOf(architecture), {}, sitesOf(stack)};
    one.interventions = everything(modelOf(one.config), textsOf(one.config), stack);
    one.sites.push_back({Site::Embed, 0, stack == Stack::Encoder ? stack : Stack::Blocks});
    return one;
}

std::vector<Case> allCases()
{
    std::vector<Case> cases{
        everythingIn("decoder", Architecture::Decoder, Stack::Blocks),
        everythingIn("encoder", Architecture::Encoder, Stack::Blocks),
        everythingIn("encoder of two stacks", Architecture::EncoderDecoder, Stack::Encoder),
        everythingIn("decoder of two stacks", Architecture::EncoderDecoder, Stack::Decoder)};

    Case& crossed =
        cases.emplace_back(Case{"cross-attention", configOf(Architecture::EncoderDecoder), {}, {}});
    const TraceKey cross{Site::CrossPattern, 0, Stack::Decoder};
    crossed.interventions.patternEdits = {cell(cross, 0, 4, 7, true), cell(cross, 2, 1, 2, false)};
    crossed.interventions.ablatedHeads = {{AttentionKind::Cross, 1, 2}};
    crossed.sites = {{Site::CrossQuery, 0, Stack::Decoder}, {Site::CrossKey, 0, Stack::Decoder},
                     {Site::CrossValue, 0, Stack::Decoder}, {Site::LnFinal, 0, Stack::Encoder},
                     {Site::Embed, 0, Stack::Encoder},      {Site::Embed, 0, Stack::Blocks}};

    Case& replaced =
        cases.emplace_back(Case{"positions replaced", configOf(Architecture::Decoder), {}, {}});
    const TracePtr other = freshTrace(modelOf(replaced.config), textsOf(replaced.config));
    replaced.interventions.patches = {patchFrom(*other, {Site::PosEmbed, 0})};
    replaced.sites = {{Site::Embed, 0}, {Site::ResidPre, 1}};

    Case& embedding =
        cases.emplace_back(Case{"embedding replaced", configOf(Architecture::Decoder), {}, {}});
    embedding.interventions.patches = {patchFrom(*other, {Site::Embed, 0})};
    embedding.sites = {{Site::PosEmbed, 0}};
    return cases;
}

/// Gradients and activations of the chosen sites.
struct Gradients
{
    Trace::Activations gradients;
    Trace::Activations activations;
};

Gradients gradientsOf(const Case& one, const GradientTarget& target, AttentionBackend& backend)
{
    const SourceAndTarget texts = textsOf(one.config);
    const std::vector<TokenId> ids = texts.target.ids();
    const std::vector<TokenId> source = texts.source.ids();
    std::vector<TraceKey> keys = one.sites;
    std::sort(keys.begin(), keys.end());
    TraceRecorder gradients(keys, static_cast<std::int64_t>(ids.size()), nullptr);
    TraceRecorder activations(keys, static_cast<std::int64_t>(ids.size()), nullptr);
    ForwardOptions options;
    options.interventions = &one.interventions;
    options.observer = &activations;
    traceGradients(*modelOf(one.config).model, {ids, source}, target, backend, gradients, options);
    return {gradients.take(), activations.take()};
}

/// logit of token 5 minus that of token 9 at the last position, with one more patch.
double valueWith(const Case& one, const Patch& patch)
{
    Interventions interventions = one.interventions;
    interventions.patches.push_back(patch);
    const TracePtr trace = freshTrace(modelOf(one.config), textsOf(one.config), interventions);
    const TensorView logits = trace->find({Site::Logits, 0})->view();
    const std::int64_t last = logits.shape[0] - 1;
    return static_cast<double>(logits(last, 5)) - static_cast<double>(logits(last, 9));
}

/// d value along `direction`, of fourth order.
double slope(const Case& one, TraceKey key, const Tensor& activation, const Tensor& direction)
{
    constexpr double kStep = 5e-3;
    const auto at = [&](double steps) {
        Tensor moved = activation;
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved.values()[i] += static_cast<float>(steps * kStep) * direction.values()[i];
        return valueWith(one, {key, std::make_shared<const Tensor>(std::move(moved)), {}, {}});
    };
    return (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * kStep);
}

} // namespace

/// Gradients where an intervention holds: through rescaled weights, but not through replaced ones.
class TstGradientInterventions : public QObject
{
    Q_OBJECT

private slots:

    void gradientsAreThoseOfSmallPatches_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Case> cases = allCases();
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
    }

    void gradientsAreThoseOfSmallPatches()
    {
        QFETCH(int, index);
        const Case one = allCases()[static_cast<std::size_t>(index)];
        CpuAttention backend;
        const GradientTarget target{GradientTarget::Kind::LogitDifference, -1, 5, 9, {}};
        const Gradients got = gradientsOf(one, target, backend);
        QCOMPARE(got.gradients.size(), one.sites.size());
        std::string problems;
        std::uint64_t seed = 40;
        for (const auto& [key, gradient] : got.gradients) {
            const Tensor& activation = *got.activations.at(key);
            const Tensor direction = randomTensor(activation.shape(), ++seed);
            const double analytic = weightedSum(direction, *gradient);
            const double numeric = slope(one, key, activation, direction);
            // Logits near 10 in float32 have errors of 2e-6, 4e-4 of the slope after division.
            if (std::abs(analytic - numeric) > 2e-3 + 2e-3 * std::abs(numeric))
                problems += fmt::format("{}: {} where small patches give {}\n",
                                        headscope::toString(key), analytic, numeric);
        }
        QVERIFY2(problems.empty(), problems.c_str());
    }

    void backendsAgree()
    {
        const Case one = allCases().front();
        CpuAttention cpu;
        ReferenceAttention reference;
        const GradientTarget target{GradientTarget::Kind::Loss, -1, 0, 0, {}};
        const Gradients a = gradientsOf(one, target, cpu);
        const Gradients b = gradientsOf(one, target, reference);
        for (const auto& [key, gradient] : a.gradients) {
            const auto& values = b.gradients.at(key)->values();
            HS_COMPARE(floats(*gradient), std::vector<double>(values.begin(), values.end()),
                       (Tolerance{1e-5, 1e-4}));
        }
    }
};

HEADSCOPE_TEST(TstGradientInterventions)
#include "tst_gradient_interventions.moc"
