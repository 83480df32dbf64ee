#include "core/io/hugging_face/fused_weights.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace headscope {

namespace {

/// Takes the rows from `first` on.
void takeRows(const WeightContext& context, std::int64_t first, std::int64_t storedRows,
              StoredWeight& weight)
{
    weight.order.resize(static_cast<std::size_t>(context.spec.shape[0]));
    std::iota(weight.order.begin(), weight.order.end(), first);
    weight.storedRows = storedRows;
}

std::int64_t numberOf(const std::string& digits)
{
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

} // namespace

void describePerHead(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.queryKeyValue() < 0)
        return;
    weight.part = context.name.queryKeyValue();
    weight.parts = 3;
    weight.groups = context.config.heads;
}

void describeJoinedHeads(const WeightContext& context, StoredWeight& weight)
{
    const int part = context.name.queryKeyValue();
    if (part < 0)
        return;
    const ModelConfig& config = context.config;
    const std::int64_t queries = config.heads * config.queryDim();
    const std::int64_t keys = config.keyHeadCount() * config.queryDim();
    const std::int64_t values = config.keyHeadCount() * config.valueDim();
    const std::int64_t first[] = {0, queries, queries + keys};
    takeRows(context, first[part], queries + keys + values, weight);
}

void describeHeadGroups(const WeightContext& context, StoredWeight& weight)
{
    const int part = context.name.queryKeyValue();
    if (part < 0)
        return;
    const ModelConfig& config = context.config;
    const std::int64_t groups = config.keyHeadCount();
    const std::int64_t queries = config.heads / groups; // of a group
    const std::int64_t width = config.headDim();
    weight.order.clear();
    for (std::int64_t group = 0; group < groups; ++group) {
        const std::int64_t first = group * (queries + 2);
        const std::int64_t begin = part == 0 ? first : first + queries + part - 1;
        const std::int64_t count = part == 0 ? queries : 1;
        for (std::int64_t row = begin * width; row < (begin + count) * width; ++row)
            weight.order.push_back(row);
    }
    weight.storedRows = groups * (queries + 2) * width;
}

void describeQuarters(const WeightContext& context, StoredWeight& weight)
{
    constexpr int kPlaces[] = {0, 2, 1}; // of queries, keys and values
    if (context.name.queryKeyValue() < 0)
        return;
    weight.part = kPlaces[context.name.queryKeyValue()];
    weight.parts = 3;
    weight.groups = 4;
}

void describeJoinedGate(const WeightContext& context, StoredWeight& weight)
{
    const std::string& part = context.name.part;
    const std::int64_t width = context.spec.shape[0];
    if (part == "gate" || part == "up")
        takeRows(context, part == "gate" ? 0 : width, 2 * width, weight);
}

void describeExperts(const WeightContext& context, const std::string& names, StoredWeight& weight)
{
    describeExperts(context, names + "gate_up_proj", names + "down_proj", weight);
}

void describeExperts(const WeightContext& context, const std::string& gateAndUp,
                     const std::string& down, StoredWeight& weight)
{
    const std::string both = withNumbers(gateAndUp, context.name);
    if (context.name.expert.empty() || !context.tensors.contains(both))
        return;
    const std::string& part = context.name.part;
    weight.slices = context.config.experts.count;
    weight.slice = numberOf(context.name.expert);
    weight.names = {part == "expert.down" ? withNumbers(down, context.name) : both};
    const std::int64_t width = context.spec.shape[0];
    if (part != "expert.down")
        takeRows(context, part == "expert.gate" ? 0 : width, 2 * width, weight);
}

void useZeros(StoredWeight& weight)
{
    weight.names.clear();
    weight.constant = 0.0F;
}

void dropOutputBias(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "attn.o" && context.name.kind == "bias" &&
        !context.config.hasQueryKeyValueBias())
        useZeros(weight);
}

void describeBiases(const WeightContext& context, StoredWeight& weight)
{
    const std::string& part = context.name.part;
    dropOutputBias(context, weight);
    if (context.name.kind != "bias" || (part != "gate" && part != "up" && part != "down"))
        return;
    const std::string end = "." + part + "_proj.bias";
    const bool isStored = std::ranges::any_of(
        context.tensors, [&](const std::string& name) { return name.ends_with(end); });
    if (!isStored && !context.tensors.empty())
        useZeros(weight);
}

void skipPositions(const WeightContext& context, std::int64_t skipped, StoredWeight& weight)
{
    if (context.name.part.ends_with("pos_emb"))
        takeRows(context, skipped, context.spec.shape[0] + skipped, weight);
}

} // namespace headscope
