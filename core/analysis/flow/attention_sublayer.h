#pragma once

#include "core/analysis/flow/contributions.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Prefix of the sublayer's parameter names: "h.3.attn", "dec.0.cross".
std::string attentionName(const SublayerIndex& place);

float dotProduct(const float* a, const float* b, std::int64_t count);

/// The recorded activations of one attention sublayer and its values projected by W_O, from which
/// all measures of what attention moves are computed.
class AttentionSublayer
{
public:
    /// Throws Error when the trace lacks the pattern or the values.
    AttentionSublayer(const Trace& trace, const Model& model, const SublayerIndex& place);

    std::int64_t heads() const { return m_weights.shape[0]; }

    std::int64_t queries() const { return m_weights.shape[1]; }

    std::int64_t keys() const { return m_weights.shape[2]; }

    std::int64_t width() const { return m_output.shape[0]; }

    std::int64_t channels() const { return m_vectors.shape[2]; }

    /// Attention weight A_hij, times what the norm after W_O divides the query's output by; 0 for a
    /// replaced head.
    float weight(std::int64_t head, std::int64_t query, std::int64_t key) const
    {
        return isReplaced(head) ? 0.0F : m_weights(head, query, key) * outputFactor(query);
    }

    /// Factor of one query's output between W_O and the residual stream: 1 without a norm there.
    float outputFactor(std::int64_t query) const
    {
        return m_factors.empty() ? 1.0F : m_factors[static_cast<std::size_t>(query)];
    }

    /// Bias of the output as it is added but for outputFactor(): [d], empty without one.
    const Tensor& bias() const { return m_bias; }

    /// True when an intervention replaced the head's output.
    bool isReplaced(std::int64_t head) const
    {
        return m_isReplaced[static_cast<std::size_t>(head)];
    }

    std::vector<int> replacedHeads() const;

    /// Value vector v_hj, [channels].
    const float* value(std::int64_t head, std::int64_t key) const
    {
        return &m_vectors(key, head * m_vectors.shape[1] / heads(), 0);
    }

    /// Projected values v_hj W_O^h of one key, [heads, d].
    Tensor projected(std::int64_t key) const;

    /// Projected values v_hj W_O^h of one head, [keys, d].
    Tensor projectedHead(std::int64_t head) const;

    /// Recorded head output z_ih W_O^h, interventions included, [queries, d]. Throws Error without
    /// z.
    Tensor written(std::int64_t head) const;

    /// |f_ij|^2 with f_ij = sum over heads of A_hij v_hj W_O^h, [n, m]. Throws Cancelled.
    Tensor squaredLengths(const std::stop_token& stop = {}) const;

    /// The row vector y (W_O^h)^T of one head: its dot product with v_hj is y . v_hj W_O^h.
    std::vector<float> pulledBack(const float* whole, std::int64_t head) const;

    /// Stream that the sublayer's output is added to, [n, d]; zeros without residual connections.
    std::shared_ptr<const Tensor> before() const;

    /// Throws an Error that names what the trace does not contain.
    std::shared_ptr<const Tensor> wanted(Site site) const;

private:
    void foldOutput(const Model& model);
    void findReplacedHeads();
    bool isReplacedBy(const Tensor& z, std::int64_t head) const;
    Tensor throughOutput(const float* rows, std::int64_t count, std::int64_t stride,
                         std::int64_t head) const;

    const Trace& m_trace;
    SublayerIndex m_place;
    std::shared_ptr<const Tensor> m_pattern;
    std::shared_ptr<const Tensor> m_values;
    TensorView m_weights; ///< [h, n, m]
    TensorView m_vectors; ///< [m, h_kv, channels]
    TensorView m_output;  ///< [d, heads * channels]: W_O, with the gain of a norm after it.
    Tensor m_folded;      ///< Memory of m_output where it is not W_O itself.
    Tensor m_bias;
    std::vector<float> m_factors; ///< outputFactor() of each query, or empty.
    bool m_hasResidual;
    std::vector<bool> m_isReplaced;
};

} // namespace headscope
