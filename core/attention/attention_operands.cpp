#include "core/attention/attention_operands.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

using std::int64_t;

/// Elements left unused after each token, or tokens left unused after each head.
constexpr int64_t kGap = 5;

void fillRandom(const TensorView& view, float spread, Random random)
{
    const Shape& shape = view.shape;
    for (int64_t batch = 0; batch < shape[0]; ++batch)
        for (int64_t head = 0; head < shape[1]; ++head)
            for (int64_t token = 0; token < shape[2]; ++token)
                for (int64_t d = 0; d < shape[3]; ++d)
                    const_cast<float&>(view(batch, head, token, d)) =
                        spread * static_cast<float>(random.normal());
}

/// Fills the memory between the operands' own elements with NaN, so that reading it is detected.
Tensor spoiledStorage(int64_t floats)
{
    Tensor storage({floats});
    std::fill_n(storage.data(), floats, std::numeric_limits<float>::quiet_NaN());
    return storage;
}

Tensor slopesFor(int64_t heads)
{
    Tensor slopes({heads});
    for (int64_t head = 0; head < heads; ++head)
        slopes.data()[head] =
            std::exp2(-8.0F * static_cast<float>(head + 1) / static_cast<float>(heads));
    return slopes;
}

std::vector<std::uint8_t> randomBytes(int64_t count, double probability, Random random)
{
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes)
        byte = random.uniform() < probability ? 1 : 0;
    return bytes;
}

} // namespace

CaseLayout layoutOf(CaseMemory memory, const Shape& shape, int64_t gap)
{
    const int64_t heads = shape[1];
    const int64_t tokens = shape[2];
    const int64_t dim = shape[3];
    if (memory == CaseMemory::Dense)
        return {{heads * tokens * dim, tokens * dim, dim, 1}, shape.elementCount()};
    if (memory == CaseMemory::Cache) {
        const int64_t head = (tokens + gap) * dim;
        return {{heads * head, head, dim, 1}, shape[0] * heads * head};
    }
    const int64_t token = heads * dim + gap;
    return {{tokens * token, dim, token, 1}, shape[0] * tokens * token};
}

AttentionOperands::AttentionOperands(const AttentionCase& test, std::uint64_t seed)
    : m_scale(1.0F / std::sqrt(static_cast<float>(test.headDim)))
    , m_softCap(test.softCap)
    , m_dropout(test.dropout)
{
    const Shape queries{test.batch, test.queryHeads, test.queryTokens, test.headDim};
    const Shape keys{test.batch, test.keyHeads, test.keyTokens, test.headDim};
    const Shape values{test.batch, test.keyHeads, test.keyTokens, test.valueDim};
    const Shape context{test.batch, test.queryHeads, test.queryTokens, test.valueDim};
    const Shape* shapes[] = {&queries, &keys, &values, &context};
    TensorView* views[] = {&m_queries, &m_keys, &m_values, &m_contextGradient};
    for (std::size_t i = 0; i < 4; ++i) {
        const CaseLayout layout = layoutOf(test.memory, *shapes[i], kGap);
        m_storage[i] = spoiledStorage(layout.floats);
        *views[i] = TensorView(m_storage[i].data(), *shapes[i]);
        views[i]->strides = layout.strides;
    }
    if (test.memory == CaseMemory::FusedRows)
        fuseRows(test.queryTokens);
    for (std::size_t i = 0; i < 4; ++i)
        fillRandom(*views[i], i < 2 ? test.spread : 1.0F, Random(seed, i));
    if (test.bias) {
        m_bias = Tensor({test.queryHeads, test.queryTokens, test.keyTokens});
        fillRandom({m_bias.data(), {1, test.queryHeads, test.queryTokens, test.keyTokens}}, 1.0F,
                   Random(seed, 4));
    }
    if (test.alibi)
        m_slopes = slopesFor(test.queryHeads);
    if (test.sinks) {
        m_sinks = Tensor({test.queryHeads});
        fillRandom({m_sinks.data(), {1, 1, 1, test.queryHeads}}, 1.0F, Random(seed, 7));
    }
    if (test.dropout > 0.0F)
        m_keep = randomBytes(test.batch * test.queryHeads * test.queryTokens * test.keyTokens,
                             1.0 - static_cast<double>(test.dropout), Random(seed, 5));
    makeMask(test, seed);
}

void AttentionOperands::fuseRows(int64_t tokens)
{
    TensorView* views[] = {&m_queries, &m_keys, &m_values};
    int64_t width = kGap;
    for (const TensorView* view : views)
        width += view->shape[1] * view->shape[3];
    m_storage[0] = spoiledStorage(m_queries.shape[0] * tokens * width);
    const float* at = m_storage[0].data();
    for (TensorView* view : views) {
        view->data = at;
        view->strides = {tokens * width, view->shape[3], width, 1};
        at += view->shape[1] * view->shape[3];
    }
}

void AttentionOperands::makeMask(const AttentionCase& test, std::uint64_t seed)
{
    m_mask.causal = test.mask == CaseMask::Causal || test.mask == CaseMask::CausalWindow ||
                    test.mask == CaseMask::LeftPadding;
    m_mask.window = test.window;
    Random random(seed, 6);
    if (test.mask == CaseMask::Scattered) {
        m_allowed = randomBytes(test.batch * test.queryTokens * test.keyTokens, 0.5, random);
        // Every seventh query sees nothing.
        for (int64_t row = 0; row < test.batch * test.queryTokens; row += 7)
            std::fill_n(m_allowed.begin() + row * test.keyTokens, test.keyTokens, std::uint8_t{0});
        m_mask.allowedBatchStride = test.queryTokens * test.keyTokens;
        m_mask.allowedQueryStride = test.keyTokens;
    }
    if (test.mask == CaseMask::KeyPadding || test.mask == CaseMask::LeftPadding ||
        test.mask == CaseMask::PaddingWindow) {
        m_allowed.assign(test.batch * test.keyTokens, 1);
        for (int64_t batch = 0; batch < test.batch; ++batch) {
            const auto bound = static_cast<std::uint64_t>(test.keyTokens);
            const int64_t hidden = random.below(bound);
            const int64_t first = test.mask == CaseMask::LeftPadding ? 0 : test.keyTokens - hidden;
            std::fill_n(m_allowed.begin() + batch * test.keyTokens + first, hidden,
                        std::uint8_t{0});
        }
        m_mask.allowedBatchStride = test.keyTokens;
    }
}

AttentionInputs AttentionOperands::inputs() const
{
    AttentionInputs inputs;
    inputs.queries = m_queries;
    inputs.keys = m_keys;
    inputs.values = m_values;
    inputs.scale = m_scale;
    inputs.mask = m_mask;
    inputs.mask.allowed = m_allowed.empty() ? nullptr : m_allowed.data();
    if (!m_bias.empty())
        inputs.bias = m_bias.view();
    if (!m_slopes.empty())
        inputs.alibiSlopes = m_slopes.view();
    if (!m_sinks.empty())
        inputs.sinks = m_sinks.view();
    inputs.softCap = m_softCap;
    inputs.keep = m_keep.empty() ? nullptr : m_keep.data();
    inputs.dropout = m_dropout;
    return inputs;
}

} // namespace headscope
