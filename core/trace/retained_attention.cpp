#include "core/trace/retained_attention.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"

#include <algorithm>

namespace headscope {

namespace {

/// Smallest value width that an attention kernel accepts; the results are discarded.
constexpr std::int64_t kValueDim = 1;

/// Copies `count` rows of each head: [heads, rows, d].
void copyRows(TensorView source, std::int64_t count, Tensor& destination, std::int64_t firstRow)
{
    const MutableTensorView all = destination.view();
    for (std::int64_t head = 0; head < all.shape[0]; ++head)
        for (std::int64_t row = 0; row < count; ++row)
            std::copy_n(&source(head, row, 0), all.shape[2], &all(head, firstRow + row, 0));
}

/// Copies the first `count` rows of each head: [heads, count, d].
Tensor firstRows(TensorView source, std::int64_t count)
{
    Tensor copy({source.shape[0], count, source.shape[2]});
    copyRows(source, count, copy, 0);
    return copy;
}

/// Views [rows, d] as a layer with one head and one sequence.
TensorView oneHead(TensorView matrix, std::int64_t first, std::int64_t count)
{
    TensorView view(matrix.data + first * matrix.stride(0), {1, 1, count, matrix.shape[1]});
    view.strides = {0, 0, matrix.stride(0), 1};
    return view;
}

/// Copies one number per head; empty where there are none.
Tensor copyOf(TensorView numbers)
{
    if (!numbers)
        return {};
    Tensor copy({numbers.shape[0]});
    std::copy_n(numbers.data, copy.size(), copy.data());
    return copy;
}

std::vector<std::uint8_t> copyAllowed(const AttentionMask& mask, std::int64_t queries,
                                      std::int64_t keys)
{
    std::vector<std::uint8_t> cells;
    for (std::int64_t row = 0; mask.allowed != nullptr && row < queries; ++row) {
        const std::uint8_t* line = mask.allowed + row * mask.allowedQueryStride;
        cells.insert(cells.end(), line, line + keys);
    }
    return cells;
}

} // namespace

bool RetainedAttention::canKeep(const AttentionInputs& inputs, std::int64_t firstRow)
{
    return !inputs.bias && inputs.keep == nullptr && inputs.queries.shape[0] == 1 &&
           (inputs.mask.allowed == nullptr || firstRow == 0);
}

RetainedAttention::RetainedAttention(const AttentionInputs& inputs,
                                     const RetainedAttention* previous, std::int64_t firstRow,
                                     Operands operands)
    : m_scale(inputs.scale)
    , m_softCap(inputs.softCap)
    , m_causal(inputs.mask.causal)
    , m_window(inputs.mask.window)
{
    const TensorView queries = inputs.queries[0];
    const TensorView keys = inputs.keys[0];
    if (firstRow > 0 && (!previous || previous->queryTokens() < firstRow || inputs.mask.allowed))
        throw ShapeError("the rows before the new ones are not available", "KeptAttention");
    m_queries = Tensor({queries.shape[0], firstRow + queries.shape[1], queries.shape[2]});
    if (firstRow > 0)
        copyRows(previous->m_queries.view(), firstRow, m_queries, 0);
    copyRows(queries, queries.shape[1], m_queries, firstRow);
    m_keys = firstRows(keys, keys.shape[1]);
    if (operands == Operands::All)
        m_values = firstRows(inputs.values[0], keys.shape[1]);
    m_slopes = copyOf(inputs.alibiSlopes);
    m_sinks = copyOf(inputs.sinks);
    m_allowed = copyAllowed(inputs.mask, queries.shape[1], keys.shape[1]);
}

RetainedAttention::RetainedAttention(const RetainedAttention& longer, std::int64_t tokens)
    : m_slopes(longer.m_slopes)
    , m_sinks(longer.m_sinks)
    , m_scale(longer.m_scale)
    , m_softCap(longer.m_softCap)
    , m_causal(longer.m_causal)
    , m_window(longer.m_window)
{
    if (!longer.canBeCut() || tokens > longer.queryTokens())
        throw ShapeError("these patterns cannot be truncated", "KeptAttention");
    m_queries = firstRows(longer.m_queries.view(), tokens);
    m_keys = firstRows(longer.m_keys.view(), tokens);
    if (longer.values())
        m_values = firstRows(longer.values(), tokens);
}

/// One head's rows as a layer of their own. A block of rows in the middle of a causal sequence sees
/// the keys up to its own last row: a short query block ends where its keys do.
AttentionInputs RetainedAttention::inputsFor(std::int64_t head, std::int64_t first,
                                             std::int64_t count, TensorView values) const
{
    const std::int64_t keyHead = head * m_keys.shape()[0] / heads();
    AttentionInputs inputs;
    inputs.queries = oneHead(m_queries.view()[head], first, count);
    inputs.keys = oneHead(m_keys.view()[keyHead], 0, values.shape[2]);
    inputs.values = values;
    inputs.scale = m_scale;
    inputs.softCap = m_softCap;
    inputs.mask.causal = m_causal;
    inputs.mask.window = m_window;
    if (!m_allowed.empty()) {
        inputs.mask.allowed = m_allowed.data() + first * keyTokens();
        inputs.mask.allowedQueryStride = keyTokens();
    }
    if (!m_slopes.empty())
        inputs.alibiSlopes = TensorView(m_slopes.data() + head, {1});
    if (!m_sinks.empty())
        inputs.sinks = TensorView(m_sinks.data() + head, {1});
    return inputs;
}

Tensor RetainedAttention::rows(std::int64_t head, std::int64_t first, std::int64_t count) const
{
    if (head < 0 || head >= heads() || first < 0 || count < 0 || first + count > queryTokens())
        throw ShapeError("rows outside the pattern", "KeptAttention::rows");
    Tensor result({count, keyTokens()});
    if (count == 0)
        return result;
    // Query positions count from the last key back, so keys end at the block's last row wherever
    // positions matter; keys on both sides of it need the whole head.
    const std::int64_t after = queryTokens() - first - count;
    const bool positional = m_window > 0 || !m_slopes.empty();
    if (positional && !m_causal && after > 0) {
        const Tensor whole = headPattern(head);
        std::copy_n(&whole.view()(first, 0), result.size(), result.data());
        return result;
    }
    const std::int64_t keys = keyTokens() - (m_causal ? after : 0);
    const Tensor values({1, 1, keys, kValueDim});
    Tensor context({1, 1, count, kValueDim});
    AttentionOutputs outputs;
    outputs.context = context.view();
    outputs.pattern = MutableTensorView(result.data(), {1, 1, count, keys});
    outputs.pattern.strides = {0, 0, keyTokens(), 1};
    CpuAttention().forward(inputsFor(head, first, count, values.view()), outputs);
    return result;
}

Tensor RetainedAttention::pattern() const
{
    Tensor whole({heads(), queryTokens(), keyTokens()});
    for (std::int64_t head = 0; head < heads(); ++head) {
        const Tensor one = headPattern(head);
        std::copy_n(one.data(), one.size(), &whole.view()(head, 0, 0));
    }
    return whole;
}

std::size_t RetainedAttention::byteCount() const
{
    const std::size_t numbers =
        m_queries.size() + m_keys.size() + m_values.size() + m_slopes.size() + m_sinks.size();
    return numbers * sizeof(float) + m_allowed.size();
}

} // namespace headscope
