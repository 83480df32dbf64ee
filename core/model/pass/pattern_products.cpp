#include "core/model/pass/pattern_products.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

struct Extents
{
    explicit Extents(const AttentionInputs& inputs)
        : heads(inputs.queries.shape[1])
        , group(heads / inputs.keys.shape[1])
        , queries(inputs.queries.shape[2])
        , keys(inputs.keys.shape[2])
        , width(inputs.queries.shape[3])
        , valueWidth(inputs.values.shape[3])
    {
    }

    std::int64_t heads, group, queries, keys, width, valueWidth;
};

double dot(const float* a, const float* b, std::int64_t count)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

void addScaled(float factor, const float* x, float* y, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i)
        y[i] += factor * x[i];
}

void zero(MutableTensorView view, std::int64_t width)
{
    for (std::int64_t head = 0; head < view.shape[1]; ++head)
        for (std::int64_t row = 0; row < view.shape[2]; ++row)
            std::fill_n(&view(0, head, row, 0), width, 0.0F);
}

/// Derivative d (c tanh(s / c)) / d s at the raw score of one pair.
float capSlope(const AttentionInputs& inputs, const float* query, const float* key,
               std::int64_t width)
{
    if (inputs.softCap <= 0.0F)
        return 1.0F;
    const double raw = static_cast<double>(inputs.scale) * dot(query, key, width);
    const double tangent = std::tanh(raw / static_cast<double>(inputs.softCap));
    return static_cast<float>(1.0 - tangent * tangent);
}

} // namespace

void contextOfPattern(const AttentionInputs& inputs, TensorView pattern, MutableTensorView context)
{
    const Extents e(inputs);
    zero(context, e.valueWidth);
    for (std::int64_t head = 0; head < e.heads; ++head)
        for (std::int64_t query = 0; query < e.queries; ++query)
            for (std::int64_t key = 0; key < e.keys; ++key)
                if (const float weight = pattern(0, head, query, key); weight != 0.0F)
                    addScaled(weight, &inputs.values(0, head / e.group, key, 0),
                              &context(0, head, query, 0), e.valueWidth);
}

void patternGradient(const AttentionInputs& inputs, TensorView contextGradient,
                     MutableTensorView patternGradient)
{
    const Extents e(inputs);
    for (std::int64_t head = 0; head < e.heads; ++head)
        for (std::int64_t query = 0; query < e.queries; ++query)
            for (std::int64_t key = 0; key < e.keys; ++key)
                patternGradient(0, head, query, key) = static_cast<float>(
                    dot(&contextGradient(0, head, query, 0),
                        &inputs.values(0, head / e.group, key, 0), e.valueWidth));
}

void scoresGradient(TensorView pattern, TensorView patternGradient, MutableTensorView scores)
{
    const std::int64_t keys = pattern.shape[3];
    for (std::int64_t head = 0; head < pattern.shape[1]; ++head)
        for (std::int64_t query = 0; query < pattern.shape[2]; ++query) {
            const float* weights = &pattern(0, head, query, 0);
            const float* upstream = &patternGradient(0, head, query, 0);
            const double mean = dot(weights, upstream, keys);
            for (std::int64_t key = 0; key < keys; ++key)
                scores(0, head, query, key) =
                    static_cast<float>(static_cast<double>(weights[key]) *
                                       (static_cast<double>(upstream[key]) - mean));
        }
}

void backwardOfPattern(const AttentionInputs& inputs, TensorView pattern, TensorView scoresGradient,
                       TensorView contextGradient, const AttentionGradients& gradients)
{
    const Extents e(inputs);
    zero(gradients.queries, e.width);
    zero(gradients.keys, e.width);
    zero(gradients.values, e.valueWidth);
    for (std::int64_t head = 0; head < e.heads; ++head) {
        const std::int64_t keyHead = head / e.group;
        for (std::int64_t query = 0; query < e.queries; ++query)
            for (std::int64_t key = 0; key < e.keys; ++key) {
                const float* q = &inputs.queries(0, head, query, 0);
                const float* k = &inputs.keys(0, keyHead, key, 0);
                const float ds = scoresGradient(0, head, query, key) * inputs.scale *
                                 capSlope(inputs, q, k, e.width);
                addScaled(ds, k, &gradients.queries(0, head, query, 0), e.width);
                addScaled(ds, q, &gradients.keys(0, keyHead, key, 0), e.width);
                addScaled(pattern(0, head, query, key), &contextGradient(0, head, query, 0),
                          &gradients.values(0, keyHead, key, 0), e.valueWidth);
            }
    }
    if (gradients.bias)
        for (std::int64_t head = 0; head < e.heads; ++head)
            for (std::int64_t query = 0; query < e.queries; ++query)
                std::copy_n(&scoresGradient(0, head, query, 0), e.keys,
                            &gradients.bias(head, query, 0));
}

} // namespace headscope
