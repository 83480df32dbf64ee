#pragma once

#include "core/attention/attention_backend.h"

#include <memory>
#include <vector>

namespace headscope {

/// Operands of one layer's patterns [h, n, m], retained where the patterns themselves would be too
/// large: n * d_k numbers per head instead of n * m. Immutable, so any thread may read it.
class RetainedAttention
{
public:
    /// False where rows cannot be recomputed: a bias, dropout, several sequences, or an arbitrary
    /// mask whose earlier rows are gone.
    static bool canKeep(const AttentionInputs& inputs, std::int64_t firstRow);

    /// Which operands are copied: those of the pattern, or the values as well.
    enum class Operands { QueriesAndKeys, All };

    /// Copies the operands of one sequence (batch 1). They hold the queries from `firstRow` on;
    /// earlier ones come from `previous`, of the same layer.
    RetainedAttention(const AttentionInputs& inputs, const RetainedAttention* previous,
                      std::int64_t firstRow, Operands operands = Operands::QueriesAndKeys);

    /// True when every query sees only keys up to itself, so that a prefix is valid on its own.
    bool canBeCut() const { return m_causal && m_allowed.empty(); }

    /// Retains the first `tokens` of a sequence that canBeCut().
    RetainedAttention(const RetainedAttention& longer, std::int64_t tokens);

    std::int64_t heads() const { return m_queries.shape()[0]; }

    std::int64_t queryTokens() const { return m_queries.shape()[1]; }

    std::int64_t keyTokens() const { return m_keys.shape()[1]; }

    /// Queries [h, n, d_k], rotated for rotary positions as the keys are.
    TensorView queries() const { return m_queries.view(); }

    TensorView keys() const { return m_keys.view(); } ///< Keys [h_kv, m, d_k].

    /// Values [h_kv, m, d_v]; empty unless Operands::All.
    TensorView values() const { return m_values.empty() ? TensorView() : m_values.view(); }

    /// Rows [first, first + count) of one head: [count, m]. Softmax of the scores as in the forward
    /// pass, up to rounding (Vaswani et al. 2017, eq. 1). Throws ShapeError outside the pattern.
    Tensor rows(std::int64_t head, std::int64_t first, std::int64_t count) const;

    Tensor headPattern(std::int64_t head) const { return rows(head, 0, queryTokens()); }

    /// Complete pattern [h, n, m]: as large as what was not retained.
    Tensor pattern() const;

    std::size_t byteCount() const;

private:
    AttentionInputs inputsFor(std::int64_t head, std::int64_t first, std::int64_t count,
                              TensorView values) const;

    Tensor m_queries;                    ///< Queries [h, n, d_k], rotated for rotary positions.
    Tensor m_keys;                       ///< Keys [h_kv, m, d_k].
    Tensor m_values;                     ///< Values [h_kv, m, d_v], or empty.
    Tensor m_slopes;                     ///< ALiBi slopes [h], or empty.
    Tensor m_sinks;                      ///< Logits of the sinks [h], or empty.
    std::vector<std::uint8_t> m_allowed; ///< Allowed mask [n, m], or empty.
    float m_scale = 1.0F;
    float m_softCap = 0.0F;
    bool m_causal = false;
    std::int64_t m_window = 0;
};

using RetainedAttentionPtr = std::shared_ptr<const RetainedAttention>;

} // namespace headscope
