#include "core/analysis/lens/logit_attribution.h"

#include "core/analysis/lens/logit_walk.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Tolerance, relative to the sum over a head's source tokens.
constexpr double kReplacedHead = 1e-3;

} // namespace

double LogitAttribution::sum() const
{
    double sum = 0.0;
    for (const LogitPart& part : parts)
        sum += part.value;
    return sum;
}

std::vector<double> LogitAttribution::headValues(bool cross) const
{
    std::vector<double> values(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (const LogitPart& part : parts)
        if (part.kind == LogitPartKind::Head && part.cross == cross)
            values[static_cast<std::size_t>(part.layer * heads + part.head)] = part.value;
    return values;
}

std::vector<double> LogitAttribution::mlpValues() const
{
    std::vector<double> values(static_cast<std::size_t>(layers));
    for (const LogitPart& part : parts)
        if (part.kind == LogitPartKind::Mlp)
            values[static_cast<std::size_t>(part.layer)] = part.value;
    return values;
}

std::string whyNoLogitAttribution(const ModelConfig& config)
{
    if (!config.languageHead)
        return "the model predicts no tokens";
    if (config.headTransform)
        return "a dense layer with an activation function lies between this model's final "
               "residual stream and its logits, so that a logit is not a sum of parts";
    return {};
}

LogitAttribution logitAttribution(const Trace& trace, const Model& model, const LogitTarget& target)
{
    return LogitWalk(trace, model, target).all();
}

std::vector<double> logitAttributionBySource(const Trace& trace, const Model& model,
                                             const LogitTarget& target, const LogitHead& head)
{
    LogitWalk walk(trace, model, target);
    const Direction pulled = walk.towardsHeads(head.layer, head.cross);
    const TraceKey patternKey{head.cross ? Site::CrossPattern : Site::Pattern, head.layer,
                              walk.stack()};
    const TraceKey valueKey{head.cross ? Site::CrossValue : Site::Value, head.layer, walk.stack()};
    const auto pattern = trace.findHead(patternKey, head.head);
    const auto values = trace.find(valueKey);
    if (!pattern || !values)
        throw Error(
            fmt::format("the trace contains no {}", toString(pattern ? valueKey : patternKey)),
            "logit attribution", "Trace patterns and values");
    const std::int64_t heads = model.config().heads;
    const std::int64_t channels = values->shape()[2];
    const std::int64_t valueHead = head.head * values->shape()[1] / heads;
    std::vector<double> parts;
    double sum = 0.0;
    double size = 0.0;
    for (std::int64_t key = 0; key < pattern->shape()[1]; ++key) {
        const float* const value = &values->view()(key, valueHead, 0);
        double part = 0.0;
        for (std::int64_t channel = 0; channel < channels; ++channel)
            part += pulled[static_cast<std::size_t>(head.head * channels + channel)] *
                    double{value[channel]};
        parts.push_back(double{pattern->view()(walk.target().position, key)} * part);
        sum += parts.back();
        size += std::abs(parts.back());
    }
    const float* const z = walk.recorded().row(head.cross ? Site::CrossZ : Site::Z, head.layer);
    const double whole = walk.headValue(pulled, z, head.head);
    if (std::abs(whole - sum) > kReplacedHead * std::max(size, std::abs(whole)))
        return {};
    return parts;
}

} // namespace headscope
