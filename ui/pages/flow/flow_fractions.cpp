#include "ui/pages/flow/flow_fractions.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/base/error.h"
#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/pages/shared/maps/sink_mass.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

struct FlowControl
{
    const std::stop_token& stop;
    const std::function<void(double)>& progress;
};

/// Row-normalised share * mean over heads + (1 - share) * I (a query without visible keys has a row
/// of zeros).
void addMean(const Tensor& pattern, float fraction, FlowMixing& mixing)
{
    const std::int64_t heads = pattern.shape()[0];
    const std::int64_t tokens = pattern.shape()[1];
    Tensor& mean = mixing.layers.emplace_back(Shape{tokens, tokens});
    Tensor& residual = mixing.residual.emplace_back(Shape{tokens});
    const float factor = fraction / static_cast<float>(heads);
    const auto cells = static_cast<std::size_t>(tokens * tokens);
    for (std::int64_t head = 0; head < heads; ++head) {
        const float* weights = pattern.view()[head].data;
        for (std::size_t cell = 0; cell < cells; ++cell)
            mean.data()[cell] += factor * weights[cell];
    }
    for (std::int64_t query = 0; query < tokens; ++query) {
        float* row = mean.data() + query * tokens;
        row[query] += 1.0F - fraction;
        const double sum = std::accumulate(row, row + tokens, 0.0);
        for (std::int64_t key = 0; sum > 0.0 && key < tokens; ++key)
            row[key] = static_cast<float>(double{row[key]} / sum);
        residual.view()(query) =
            sum > 0.0 ? static_cast<float>((1.0 - double{fraction}) / sum) : 0.0F;
    }
}

/// Mean attention of the heads, layer by layer, next to the residual stream.
void addAttention(const Trace& trace, AttentionKind part, float fraction, FlowMixing& mixing)
{
    const SinkWeights sinks(trace);
    std::vector<std::optional<double>> masses;
    for (int layer = 0; layer < trace.layerCount(part); ++layer) {
        const auto pattern = trace.find(patternKey(part, layer));
        if (!pattern)
            throw Error("the trace lacks the pattern of a layer", "flow");
        addMean(*pattern, fraction, mixing);
        const int heads = sinks.hasSinks(part) ? static_cast<int>(pattern->shape()[0]) : 0;
        for (int head = 0; head < heads; ++head)
            masses.push_back(meanSink(sinks.of({part, layer, head}, pattern->view()[head])));
    }
    mixing.sinkMass = meanOf(masses);
}

MapKind kindOf(FlowMode mode)
{
    switch (mode) {
    case FlowMode::ValueNorm:
        return MapKind::ValueNorm;
    case FlowMode::Gradient:
        return MapKind::GradientAttention;
    case FlowMode::Integrated:
        return MapKind::IntegratedAttention;
    default:
        return MapKind::Weights;
    }
}

/// Keeps the positive part: what lowers the target is not followed.
Tensor positive(const Tensor& map)
{
    Tensor result = map;
    for (float& value : result.values())
        value = std::max(value, 0.0F);
    return result;
}

float attentionFraction(const ViewSnapshot& view, Variant variant)
{
    return static_cast<float>(1.0 - rolloutRule(view, variant).residual);
}

void noteResidual(const ViewSnapshot& view, Variant variant, FlowMixing& mixing)
{
    if (rolloutRule(view, variant).residual > 0.0)
        return;
    const QString words = tr("no residual connections, so attention alone");
    mixing.note = mixing.note.isEmpty() ? words : tr("%1; %2").arg(mixing.note, words);
}

/// Attributions in place of attention, next to the residual stream.
void addAttributed(const ViewSnapshot& view, Variant variant, MapKind kind,
                   const FlowControl& control, FlowMixing& mixing)
{
    ViewSnapshot there = view;
    there.selection.part = selfAttentionOf(flowStack(view));
    there.shown = variant;
    const AttributedRunPtr made =
        attributedRuns(there, {kind, {}}, control.stop, control.progress).of(variant);
    mixing.problem = made->problem;
    if (!made->target.isEmpty())
        mixing.note = tr("contributions that raise the logit of \u201C%1\u201D").arg(made->target);
    for (int layer = 0; made->trace && layer < made->trace->layerCount(there.selection.part);
         ++layer)
        addMean(positive(*made->trace->find(patternKey(there.selection.part, layer))),
                attentionFraction(view, variant), mixing);
    noteResidual(view, variant, mixing);
}

void addContributions(const Trace& trace, const Model& model, SublayerIndex place,
                      ContributionMeasure measure, FlowMixing& mixing)
{
    SublayerContributions fractions = sublayerContributions(trace, model, place, measure);
    for (std::int64_t token = 0; token < fractions.tokens.shape()[0]; ++token)
        fractions.tokens.view()(token, token) += fractions.residual.view()(token);
    mixing.layers.push_back(std::move(fractions.tokens));
    mixing.residual.push_back(std::move(fractions.residual));
    mixing.replacedHeads += static_cast<int>(fractions.replacedHeads.size());
}

/// Why the edges of this text are too many; empty otherwise.
QString whyTooLarge(const Trace& trace, AttentionKind part)
{
    constexpr double kMostBytes = 2.0 * 1024 * 1024 * 1024;
    const auto tokens = static_cast<double>(trace.queryTokens(part).size());
    const double bytes = tokens * tokens * trace.layerCount(part) * double{sizeof(float)};
    if (bytes <= kMostBytes)
        return {};
    return tr("The paths of %1 tokens need %2 GiB of memory, more than this page uses. Shorten the "
              "text.")
        .arg(count(static_cast<long long>(tokens)), number(bytes / (1024.0 * 1024 * 1024), 1));
}

} // namespace

Stack flowStack(const ViewSnapshot& view)
{
    return stackOf(view.selection.part);
}

FlowMixingPtr flowMixing(const ViewSnapshot& view, Variant variant, const FlowOptions& options,
                         const std::stop_token& stop, const std::function<void(double)>& progress)
{
    auto mixing = std::make_shared<FlowMixing>();
    const TracePtr& trace = view.trace(variant);
    if (!trace)
        return mixing;
    const Stack stack = flowStack(view);
    const auto& model = view.model(variant).model;
    mixing->problem = whyTooLarge(*trace, selfAttentionOf(stack));
    if (!mixing->problem.isEmpty())
        return mixing;
    if (options.mode == FlowMode::Contribution && !model) {
        mixing->problem = tr("Contributions need the model's weights, and a trace has none. "
                             "Open the model.");
        return mixing;
    }
    try {
        if (isAttributed(kindOf(options.mode))) {
            addAttributed(view, variant, kindOf(options.mode), {stop, progress}, *mixing);
            return mixing;
        }
        const AttentionKind part = selfAttentionOf(stack);
        if (options.mode == FlowMode::Contribution) {
            for (int layer = 0; layer < trace->layerCount(part); ++layer)
                addContributions(*trace, *model, {stack, layer, false}, options.measure, *mixing);
            return mixing;
        }
        const bool isRollout = options.mode == FlowMode::Rollout;
        addAttention(*trace, part, isRollout ? attentionFraction(view, variant) : 1.0F, *mixing);
        if (isRollout)
            noteResidual(view, variant, *mixing);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        *mixing = {};
        mixing->problem = errorSentence(error);
    }
    return mixing;
}

double flowCost(const ViewSnapshot& view, const FlowOptions& options)
{
    const TracePtr& trace = view.trace();
    if (!trace)
        return 0.0;
    if (isAttributed(kindOf(options.mode)))
        return std::numeric_limits<double>::infinity();
    const AttentionKind part = selfAttentionOf(flowStack(view));
    const auto heads = static_cast<double>(trace->headsOf(patternKey(part, 0)));
    const auto tokens = static_cast<double>(trace->queryTokens(part).size());
    double each = tokens * tokens * heads;
    if (options.mode == FlowMode::Contribution && view.model().model) {
        const auto width = static_cast<double>(view.model().model->config().dModel);
        each = tokens * width * width * 2.0 + tokens * heads * heads * (width + tokens) +
               tokens * tokens * width * 2.0;
    }
    return each * trace->layerCount(part) * (view.shown == Variant::Difference ? 2.0 : 1.0);
}

FlowMixings flowMixings(const ViewSnapshot& view, const FlowOptions& options,
                        const std::stop_token& stop, const std::function<void(double)>& progress)
{
    FlowMixings mixings;
    if (view.shown != Variant::B)
        mixings.a = flowMixing(view, Variant::A, options, stop, progress);
    if (view.shown != Variant::A)
        mixings.b = flowMixing(view, Variant::B, options, stop, progress);
    return mixings;
}

} // namespace headscope::ui
