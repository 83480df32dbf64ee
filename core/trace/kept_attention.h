#pragma once

#include "core/attention/attention_backend.h"

#include <memory>
#include <vector>

namespace headscope {

/// What one layer's patterns [h, n, m] were made from, kept where the patterns themselves would be
/// too many: n * d_k numbers a head instead of n * m. Immutable, so any thread may ask it.
class KeptAttention
{
public:
    /// False for what rows cannot be made again from: a bias table, dropout, several texts, or a
    /// mask of single cells whose earlier rows are gone.
    static bool canKeep(const AttentionInputs& inputs, std::int64_t firstRow);

    /// Copies the operands of one text (batch 1). They hold the queries from `firstRow` on; those
    /// before come from `previous`, of the same layer.
    KeptAttention(const AttentionInputs& inputs, const KeptAttention* previous,
                  std::int64_t firstRow);

    /// Every query sees only keys up to itself, whichever they are.
    bool canBeCut() const { return m_causal && m_allowed.empty(); }

    /// The first `tokens` of what canBeCut().
    KeptAttention(const KeptAttention& longer, std::int64_t tokens);

    std::int64_t heads() const { return m_queries.shape()[0]; }

    std::int64_t queryTokens() const { return m_queries.shape()[1]; }

    std::int64_t keyTokens() const { return m_keys.shape()[1]; }

    /// Rows [first, first + count) of one head: [count, m]. Softmax of the scores as in the pass,
    /// to rounding (Vaswani et al. 2017, eq. 1). Throws ShapeError outside.
    Tensor rows(std::int64_t head, std::int64_t first, std::int64_t count) const;

    Tensor headPattern(std::int64_t head) const { return rows(head, 0, queryTokens()); }

    /// [h, n, m]: as large as what was not kept.
    Tensor pattern() const;

    std::size_t byteCount() const;

private:
    AttentionInputs inputsFor(std::int64_t head, std::int64_t first, std::int64_t count,
                              TensorView values) const;

    Tensor m_queries;                    ///< [h, n, d_k], rotated where the positions rotate
    Tensor m_keys;                       ///< [h_kv, m, d_k]
    Tensor m_slopes;                     ///< [h], or empty
    std::vector<std::uint8_t> m_allowed; ///< [n, m], or empty
    float m_scale = 1.0F;
    float m_softCap = 0.0F;
    bool m_causal = false;
    std::int64_t m_window = 0;
};

using KeptAttentionPtr = std::shared_ptr<const KeptAttention>;

} // namespace headscope
