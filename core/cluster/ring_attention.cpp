#include "core/cluster/ring_attention.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace headscope {

namespace {

/// Copies a [batch, heads, tokens, width] view to contiguous floats; returns how many.
std::int64_t pack(TensorView from, float* to)
{
    const std::int64_t width = from.shape[3];
    float* next = to;
    for (std::int64_t b = 0; b < from.shape[0]; ++b)
        for (std::int64_t h = 0; h < from.shape[1]; ++h)
            for (std::int64_t t = 0; t < from.shape[2]; ++t, next += width)
                std::copy_n(&from(b, h, t, std::int64_t{0}), width, next);
    return next - to;
}

/// Keys and values of one part, in memory sized for the longest part.
class Block
{
public:
    Block(const RingInputs& inputs, std::int64_t longest)
        : m_keys{inputs.keys.shape[0], inputs.keys.shape[1], 0, inputs.keys.shape[3]}
        , m_valueDim(inputs.values.shape[3])
        , m_memory(inputs.keys.shape[0] * inputs.keys.shape[1] * longest *
                   (inputs.keys.shape[3] + m_valueDim))
    {
        const std::int64_t keys = pack(inputs.keys, m_memory.data());
        pack(inputs.values, m_memory.data() + keys);
    }

    std::span<float> memory() { return m_memory; }

    TensorView keys(std::int64_t tokens) const
    {
        return {m_memory.data(), {m_keys[0], m_keys[1], tokens, m_keys[3]}};
    }

    TensorView values(std::int64_t tokens) const
    {
        const std::int64_t offset = m_keys[0] * m_keys[1] * tokens * m_keys[3];
        return {m_memory.data() + offset, {m_keys[0], m_keys[1], tokens, m_valueDim}};
    }

private:
    Shape m_keys;
    std::int64_t m_valueDim;
    std::vector<float> m_memory;
};

/// Result over some of the keys: context and the log-sum-exp of their scores.
struct Partial
{
    Tensor context;
    Tensor logSumExp;

    explicit Partial(const Shape& shape) : context(shape), logSumExp({shape[0], shape[1], shape[2]})
    {
    }
};

/// Merges the results over two sets of keys into `all`.
void merge(const Partial& some, Partial& all)
{
    const std::int64_t width = all.context.shape()[3];
    float* row = all.context.data();
    const float* other = some.context.data();
    for (std::size_t i = 0; i < all.logSumExp.size(); ++i, row += width, other += width) {
        const float one = all.logSumExp.data()[i];
        const float two = some.logSumExp.data()[i];
        const float largest = std::max(one, two);
        if (std::isinf(two))
            continue; // a query for which every key of the block is masked
        const float sum = largest + std::log(std::exp(one - largest) + std::exp(two - largest));
        const float keep = std::exp(one - sum);
        const float add = std::exp(two - sum);
        for (std::int64_t column = 0; column < width; ++column)
            row[column] = keep * row[column] + add * other[column];
        all.logSumExp.data()[i] = sum;
    }
}

void check(const RingInputs& inputs, MutableTensorView context, const RingPart& own,
           std::int64_t size)
{
    for (const TensorView& view : {inputs.queries, inputs.keys, inputs.values})
        if (view.shape.rank() != 4 || view.shape[2] != own.tokens)
            throw ShapeError(fmt::format("ringAttention: {}, but this process has {} tokens",
                                         view.shape.toString(), own.tokens));
    if (inputs.tokens < size)
        throw ShapeError(
            fmt::format("ringAttention: {} tokens for {} processes", inputs.tokens, size), {},
            "Start fewer processes");
    const Shape wanted{inputs.queries.shape[0], inputs.queries.shape[1], own.tokens,
                       inputs.values.shape[3]};
    if (context.shape != wanted || !context.isContiguous())
        throw ShapeError(fmt::format("ringAttention: the context has {}, not {}",
                                     context.shape.toString(), wanted.toString()));
}

} // namespace

RingPart ringPart(std::int64_t tokens, std::int64_t rank, std::int64_t size)
{
    const std::int64_t first = tokens * rank / size;
    return {first, tokens * (rank + 1) / size - first};
}

void ringAttention(Communicator& group, AttentionBackend& backend, const RingInputs& inputs,
                   MutableTensorView context, const std::function<void(const RingStep&)>& seen)
{
    const std::int64_t size = group.size();
    const std::int64_t rank = group.rank();
    const RingPart own = ringPart(inputs.tokens, rank, size);
    check(inputs, context, own, size);
    Block block(inputs, (inputs.tokens + size - 1) / size);
    Partial all(context.shape);
    Partial some(context.shape);
    for (std::int64_t round = 0; round < size; ++round) {
        if (round > 0)
            group.passRound(block.memory());
        const std::int64_t from = (rank + size - round) % size;
        RingStep step{round, ringPart(inputs.tokens, from, size), inputs.causal && from > rank};
        if (!step.isSkipped) {
            AttentionInputs operands;
            operands.queries = inputs.queries;
            operands.keys = block.keys(step.keys.tokens);
            operands.values = block.values(step.keys.tokens);
            operands.scale = inputs.scale;
            operands.mask.causal = inputs.causal && from == rank;
            AttentionOutputs outputs;
            Partial& result = round == 0 ? all : some;
            outputs.context = result.context.view();
            outputs.logSumExp = result.logSumExp.view();
            backend.forward(operands, outputs);
            if (round > 0)
                merge(some, all);
        }
        if (seen)
            seen(step);
    }
    std::ranges::copy(all.context.values(), context.data);
}

} // namespace headscope
