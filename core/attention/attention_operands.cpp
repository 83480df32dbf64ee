#include "core/attention/attention_check.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

using std::int64_t;

/// Elements left free after each token of interleaved operands.
constexpr int64_t kGap = 5;

Tensor storageFor(const Shape& shape, bool interleaved)
{
    if (!interleaved)
        return Tensor(shape);
    return Tensor({shape[0], shape[2], shape[1] * shape[3] + kGap});
}

TensorView viewOf(const Tensor& storage, const Shape& shape, bool interleaved)
{
    TensorView view(storage.data(), shape);
    if (interleaved) {
        const int64_t token = shape[1] * shape[3] + kGap;
        view.strides = {shape[2] * token, shape[3], token, 1};
    }
    return view;
}

Tensor randomStorage(const Shape& shape, bool interleaved, float spread, Random random)
{
    Tensor storage = storageFor(shape, interleaved);
    for (float& value : storage.values())
        value = spread * static_cast<float>(random.normal());
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
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    for (std::uint8_t& byte : bytes)
        byte = random.uniform() < probability ? 1 : 0;
    return bytes;
}

} // namespace

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
        m_storage[i] = randomStorage(*shapes[i], test.interleaved, i < 2 ? test.spread : 1.0F,
                                     Random(seed, i));
        *views[i] = viewOf(m_storage[i], *shapes[i], test.interleaved);
    }
    if (test.bias)
        m_bias = randomStorage({test.queryHeads, test.queryTokens, test.keyTokens}, false, 1.0F,
                               Random(seed, 4));
    if (test.alibi)
        m_slopes = slopesFor(test.queryHeads);
    if (test.dropout > 0.0F)
        m_keep = randomBytes(test.batch * test.queryHeads * test.queryTokens * test.keyTokens,
                             1.0 - static_cast<double>(test.dropout), Random(seed, 5));
    makeMask(test, seed);
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
    if (test.mask == CaseMask::KeyPadding || test.mask == CaseMask::LeftPadding) {
        m_allowed.assign(static_cast<std::size_t>(test.batch * test.keyTokens), 1);
        for (int64_t batch = 0; batch < test.batch; ++batch) {
            const auto bound = static_cast<std::uint64_t>(test.keyTokens);
            const auto hidden = static_cast<int64_t>(random.below(bound));
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
    inputs.softCap = m_softCap;
    inputs.keep = m_keep.empty() ? nullptr : m_keep.data();
    inputs.dropout = m_dropout;
    return inputs;
}

} // namespace headscope
