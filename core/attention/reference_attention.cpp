#include "core/attention/reference_attention.h"

#include "core/attention/attention_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope {

namespace {

using std::int64_t;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// One query of one head.
struct Row
{
    int64_t batch = 0;
    int64_t head = 0;
    int64_t query = 0;
};

double dot(const float* left, const float* right, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
    return sum;
}

/// Layer of one call, with the terms of each formula.
class Layer
{
public:
    explicit Layer(const AttentionInputs& inputs) : m_inputs(inputs), m_geometry(inputs) {}

    const AttentionGeometry& geometry() const { return m_geometry; }

    template<class Visit>
    void forEachRow(Visit visit) const
    {
        for (int64_t batch = 0; batch < m_geometry.batch; ++batch)
            for (int64_t head = 0; head < m_geometry.queryHeads; ++head)
                for (int64_t query = 0; query < m_geometry.queryTokens; ++query)
                    visit(Row{batch, head, query});
    }

    const float* query(const Row& row) const
    {
        return &m_inputs.queries(row.batch, row.head, row.query, 0);
    }

    const float* key(const Row& row, int64_t j) const
    {
        return &m_inputs.keys(row.batch, m_geometry.keyHeadOf(row.head), j, 0);
    }

    const float* value(const Row& row, int64_t j) const
    {
        return &m_inputs.values(row.batch, m_geometry.keyHeadOf(row.head), j, 0);
    }

    /// Soft-capped score scale * q k, without bias.
    double cappedScore(const Row& row, int64_t j) const
    {
        const double scaled =
            static_cast<double>(m_inputs.scale) * dot(query(row), key(row, j), m_geometry.headDim);
        const auto cap = static_cast<double>(m_inputs.softCap);
        return cap > 0.0 ? cap * std::tanh(scaled / cap) : scaled;
    }

    double bias(const Row& row, int64_t j) const
    {
        double sum = 0.0;
        if (m_inputs.bias)
            sum += static_cast<double>(m_inputs.bias(row.head, row.query, j));
        if (m_inputs.alibiSlopes) {
            const int64_t distance = j - row.query - m_geometry.queryOffset();
            sum +=
                static_cast<double>(m_inputs.alibiSlopes(row.head)) * static_cast<double>(distance);
        }
        return sum;
    }

    bool mayAttend(const Row& row, int64_t j) const
    {
        const KeyRange visible = visibleKeys(m_inputs.mask, m_geometry, row.query);
        const std::uint8_t* allowed = allowedRow(m_inputs.mask, row.batch, row.query);
        return j >= visible.begin && j < visible.end && (allowed == nullptr || allowed[j] != 0);
    }

    /// Factor that dropout applies to the weight.
    double dropoutFactor(const Row& row, int64_t j) const
    {
        if (m_inputs.keep == nullptr)
            return 1.0;
        const int64_t index =
            ((row.batch * m_geometry.queryHeads + row.head) * m_geometry.queryTokens + row.query) *
                m_geometry.keyTokens +
            j;
        return m_inputs.keep[index] != 0 ? 1.0 / (1.0 - static_cast<double>(m_inputs.dropout))
                                         : 0.0;
    }

    /// Fraction of a row's weight that a sink leaves to its keys.
    double besideSink(const Row& row, double logSumExp) const
    {
        return m_inputs.sinks ? 1.0 / (1.0 + std::exp(double{m_inputs.sinks(row.head)} - logSumExp))
                              : 1.0;
    }

    /// Derivative d (soft-capped score) / d (q k).
    double scoreSlope(const Row& row, int64_t j) const
    {
        const auto scale = static_cast<double>(m_inputs.scale);
        const auto cap = static_cast<double>(m_inputs.softCap);
        if (cap <= 0.0)
            return scale;
        const double ratio = cappedScore(row, j) / cap;
        return scale * (1.0 - ratio * ratio);
    }

private:
    const AttentionInputs& m_inputs;
    AttentionGeometry m_geometry;
};

/// Turns masked scores of a row into their softmax; returns the log-sum-exp.
double softmaxInPlace(std::vector<double>& row)
{
    double largest = kMinusInfinity;
    for (const double score : row)
        largest = std::isnan(score) ? score : std::max(largest, score);
    if (largest == kMinusInfinity) {
        std::fill(row.begin(), row.end(), 0.0);
        return kMinusInfinity;
    }
    double sum = 0.0;
    for (double& score : row)
        sum += score = std::exp(score - largest);
    for (double& score : row)
        score /= sum;
    return largest + std::log(sum);
}

void contextRow(const Layer& layer, const Row& row, const std::vector<double>& pattern,
                float* context)
{
    std::vector<double> sum(layer.geometry().valueDim, 0.0);
    for (std::size_t j = 0; j < pattern.size(); ++j) {
        const int64_t key = j;
        const double weight = pattern[j] * layer.dropoutFactor(row, key);
        if (weight == 0.0)
            continue;
        const float* value = layer.value(row, key);
        for (std::size_t d = 0; d < sum.size(); ++d)
            sum[d] += weight * static_cast<double>(value[d]);
    }
    for (std::size_t d = 0; d < sum.size(); ++d)
        context[d] = static_cast<float>(sum[d]);
}

/// A gradient in double, rounded once at the end.
class Accumulator
{
public:
    explicit Accumulator(const MutableTensorView& target)
        : m_target(target)
        , m_sums(target.shape.elementCount(), 0.0)
    {
    }

    double* row(int64_t first, int64_t second, int64_t third = 0)
    {
        const Shape& shape = m_target.shape;
        if (shape.rank() == 3)
            return m_sums.data() + (first * shape[1] + second) * shape[2];
        return m_sums.data() + ((first * shape[1] + second) * shape[2] + third) * shape[3];
    }

    void store()
    {
        const Shape& shape = m_target.shape;
        const int64_t thirds = shape.rank() == 4 ? shape[2] : 1;
        for (int64_t first = 0; first < shape[0]; ++first)
            for (int64_t second = 0; second < shape[1]; ++second)
                for (int64_t third = 0; third < thirds; ++third)
                    storeRow(first, second, third);
    }

private:
    void storeRow(int64_t first, int64_t second, int64_t third)
    {
        if (m_target.shape.back() == 0)
            return;
        float* values = shapeIsMatrixPerHead() ? &m_target(first, second, third, 0)
                                               : &m_target(first, second, 0);
        const double* sums = row(first, second, third);
        for (int64_t i = 0; i < m_target.shape.back(); ++i)
            values[i] = static_cast<float>(sums[i]);
    }

    bool shapeIsMatrixPerHead() const { return m_target.shape.rank() == 4; }

    MutableTensorView m_target;
    std::vector<double> m_sums;
};

struct Accumulators
{
    explicit Accumulators(const AttentionGradients& gradients)
        : queries(gradients.queries)
        , keys(gradients.keys)
        , values(gradients.values)
        , bias(gradients.bias)
    {
    }

    Accumulator queries;
    Accumulator keys;
    Accumulator values;
    Accumulator bias;
};

void addScaled(double* sums, double factor, const float* values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i)
        sums[i] += factor * static_cast<double>(values[i]);
}

/// Turns the masked scores of a row into its pattern; returns the log-sum-exp.
double patternRow(const Layer& layer, const Row& row, std::vector<double>& pattern)
{
    for (std::size_t j = 0; j < pattern.size(); ++j) {
        const int64_t key = j;
        pattern[j] = layer.mayAttend(row, key) ? layer.cappedScore(row, key) + layer.bias(row, key)
                                               : kMinusInfinity;
    }
    return softmaxInPlace(pattern);
}

/// Backward pass of a row. With P the pattern, D the dropout factor and g = d loss / d context: dV
/// += P D g;  dS = P (D (g v) - g context);  dQ += dS slope k;  dK += dS slope q. P is recomputed:
/// a float32 log-sum-exp in the thousands would cost it four digits.
void backwardRow(const Layer& layer, const Row& row, const AttentionSaved& saved,
                 Accumulators& sums, bool wantBias)
{
    const AttentionGeometry& geometry = layer.geometry();
    const float* upstream = &saved.contextGradient(row.batch, row.head, row.query, 0);
    const float* context = &saved.context(row.batch, row.head, row.query, 0);
    std::vector<double> pattern(geometry.keyTokens);
    const double logSumExp = patternRow(layer, row, pattern);
    if (logSumExp == kMinusInfinity)
        return;
    const double kept = layer.besideSink(row, logSumExp);
    const double mean = dot(upstream, context, geometry.valueDim);
    const int64_t keyHead = geometry.keyHeadOf(row.head);
    double* queryGradient = sums.queries.row(row.batch, row.head, row.query);
    for (int64_t j = 0; j < geometry.keyTokens; ++j) {
        if (!layer.mayAttend(row, j))
            continue;
        const double weight = kept * pattern[j];
        const double dropout = layer.dropoutFactor(row, j);
        addScaled(sums.values.row(row.batch, keyHead, j), weight * dropout, upstream,
                  geometry.valueDim);
        const double match = dot(upstream, layer.value(row, j), geometry.valueDim);
        const double gradient = weight * (dropout * match - mean);
        if (wantBias)
            sums.bias.row(row.head, row.query)[j] += gradient;
        const double slope = gradient * layer.scoreSlope(row, j);
        addScaled(queryGradient, slope, layer.key(row, j), geometry.headDim);
        addScaled(sums.keys.row(row.batch, keyHead, j), slope, layer.query(row), geometry.headDim);
    }
}

} // namespace

void ReferenceAttention::computeForward(const AttentionInputs& inputs,
                                        const AttentionOutputs& outputs)
{
    const Layer layer(inputs);
    std::vector<double> pattern(layer.geometry().keyTokens);
    layer.forEachRow([&](const Row& row) {
        if (outputs.scores)
            for (int64_t j = 0; j < layer.geometry().keyTokens; ++j)
                outputs.scores(row.batch, row.head, row.query, j) =
                    static_cast<float>(layer.cappedScore(row, j) + layer.bias(row, j));
        const double logSumExp = patternRow(layer, row, pattern);
        if (outputs.logSumExp)
            outputs.logSumExp(row.batch, row.head, row.query) = static_cast<float>(logSumExp);
        if (outputs.pattern)
            for (std::size_t j = 0; j < pattern.size(); ++j)
                outputs.pattern(row.batch, row.head, row.query, j) = static_cast<float>(pattern[j]);
        contextRow(layer, row, pattern, &outputs.context(row.batch, row.head, row.query, 0));
    });
}

void ReferenceAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                         const AttentionGradients& gradients)
{
    const Layer layer(inputs);
    Accumulators sums(gradients);
    const bool wantBias = static_cast<bool>(gradients.bias);
    layer.forEachRow([&](const Row& row) { backwardRow(layer, row, saved, sums, wantBias); });
    sums.queries.store();
    sums.keys.store();
    sums.values.store();
    if (wantBias)
        sums.bias.store();
}

} // namespace headscope
