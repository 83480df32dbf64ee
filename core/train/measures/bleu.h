#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace headscope {

/// BLEU of a corpus with one reference per candidate (Papineni et al. 2002): the geometric mean of
/// the clipped precisions of n-grams, n = 1 to 4, times a penalty for short candidates. Counts are
/// summed over the corpus before dividing. No smoothing: 0 if no n-gram of some length matches.
/// Tokens are the caller's; here the characters of Chinese, as with sacrebleu --tokenize char.
class Bleu
{
public:
    static constexpr std::size_t kOrders = 4;

    void add(std::span<const std::string> candidate, std::span<const std::string> reference);

    /// Number of n-grams of the candidates that their reference has, each at most as often as
    /// there. `order`: n, from 1.
    std::int64_t matches(std::size_t order) const { return m_matches.at(order - 1); }

    /// Number of n-grams of the candidates.
    std::int64_t total(std::size_t order) const { return m_totals.at(order - 1); }

    double precision(std::size_t order) const; ///< matches / total; 0 without n-grams.

    std::int64_t candidateLength() const { return m_totals.front(); }

    double brevityPenalty() const; ///< exp(1 - reference / candidate) for shorter candidates, or 1.
    double score() const;          ///< From 0 to 1; often given as a percentage.

private:
    std::array<std::int64_t, kOrders> m_matches{};
    std::array<std::int64_t, kOrders> m_totals{};
    std::int64_t m_referenceLength = 0;
};

} // namespace headscope
