#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"

#include <span>
#include <vector>

namespace headscope {

/// Measures of one softmax, from its logits [V], which must outlive it. All NaN, and rank 0, where
/// the logits define no softmax (a NaN, +infinity, or only -infinity).
class LensRow
{
public:
    explicit LensRow(TensorView logits);

    double logProbability(TokenId id) const; ///< Log-probability in nats.

    /// Rank: 1 + number of tokens with a larger logit.
    std::int64_t rank(TokenId id) const;

    double entropy() const { return m_entropy; } ///< Entropy in nats.

    /// The most probable tokens, most probable first; of equal ones the lower id first.
    void top(std::span<TokenId> ids, std::span<float> probabilities) const;

    /// KL divergence sum p_i (ln p_i - ln q_i) in nats, p the first row; 0 for equal logits, never
    /// negative.
    friend double divergence(const LensRow& p, const LensRow& q);

private:
    TensorView m_logits;
    bool m_usable = false;
    double m_logSum = 0.0; ///< ln sum e^logit.
    double m_entropy = 0.0;
};

std::vector<LensRow> lensRows(TensorView logits); ///< Rows of logits [rows, V].

} // namespace headscope
