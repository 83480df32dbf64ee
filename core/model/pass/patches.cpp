#include "core/model/pass/patches.h"

#include "core/base/error.h"
#include "core/model/config/mask_choice.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::shared_ptr<const Tensor> activationOf(const Trace& trace, TraceKey key)
{
    std::shared_ptr<const Tensor> values = trace.find(key);
    if (!values)
        throw Error(fmt::format("the trace does not contain {}", toString(key)), "patch",
                    "Trace the text again with this activation included");
    return values;
}

void checkHead(const HeadId& head, const Tensor& context)
{
    if (head.head < 0 || head.head >= context.shape()[1])
        throw Error(fmt::format("the trace has no head {}", headCode(head)), "patch",
                    fmt::format("Its heads are 0 to {}", context.shape()[1] - 1));
}

/// Excludes a single row, which would apply to every position.
std::vector<std::int64_t> ownPositions(std::int64_t rows)
{
    return rows == 1 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{};
}

/// Zero except for the mean of that head: [1, heads, channels].
Tensor meanContext(const std::vector<TracePtr>& traces, const HeadId& head)
{
    const TraceKey key = contextKey(head.attention, head.layer);
    const Shape first = activationOf(*traces.front(), key)->shape();
    std::vector<double> sums(first[2]);
    std::int64_t positions = 0;
    for (const TracePtr& trace : traces) {
        const std::shared_ptr<const Tensor> context = activationOf(*trace, key);
        checkHead(head, *context);
        if (context->shape()[1] != first[1] || context->shape()[2] != first[2])
            throw Error(fmt::format("{} is {} in one trace and {} in another", toString(key),
                                    first.toString(), context->shape().toString()),
                        "meanAblation", "Use traces of one model");
        for (std::int64_t row = 0; row < context->shape()[0]; ++row, ++positions)
            for (std::size_t channel = 0; channel < sums.size(); ++channel)
                sums[channel] += static_cast<double>(context->view()(row, head.head, channel));
    }
    Tensor mean({1, first[1], first[2]});
    for (std::size_t channel = 0; channel < sums.size(); ++channel)
        mean.view()(0, head.head, channel) =
            static_cast<float>(sums[channel] / static_cast<double>(positions));
    return mean;
}

} // namespace

Patch patchFrom(const Trace& trace, TraceKey key, std::optional<int> head,
                std::vector<std::int64_t> positions)
{
    std::shared_ptr<const Tensor> values = activationOf(trace, key);
    if (positions.empty())
        positions = ownPositions(values->shape()[hasQueryRowsPerHead(key.site) ? 1 : 0]);
    return {key, std::move(values), head, std::move(positions)};
}

std::vector<Patch> meanAblation(const std::vector<TracePtr>& traces,
                                const std::vector<HeadId>& heads)
{
    if (traces.empty())
        throw Error("a mean needs at least one trace", "meanAblation", "Provide one or more");
    std::vector<Patch> patches;
    for (const HeadId& head : heads)
        patches.push_back({contextKey(head.attention, head.layer),
                           std::make_shared<const Tensor>(meanContext(traces, head)),
                           head.head,
                           {}});
    return patches;
}

std::vector<Patch> freezePatterns(const Trace& trace)
{
    std::vector<Patch> patches;
    for (const TraceKey key : trace.patternKeys())
        patches.push_back(patchFrom(trace, key));
    return patches;
}

} // namespace headscope
