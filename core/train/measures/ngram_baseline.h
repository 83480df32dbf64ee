#pragma once

#include "core/train/data/batch.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace headscope {

/// Interpolated Kneser-Ney n-grams (Kneser, Ney 1995; Chen, Goodman 1999, section 2.7): the best
/// prediction of the next token from the last order - 1 alone. One discount per order, D = n1 / (n1
/// + 2 n2); the lowest order falls back to the uniform distribution, so every token has a
/// probability above 0.
class NgramBaseline
{
public:
    /// `order` 1 to 5: number of tokens in an n-gram. Throws Error for ids outside the vocabulary.
    NgramBaseline(std::span<const TokenId> tokens, int order, std::int64_t vocabularySize);

    /// P(token | the last order - 1 tokens of `context`). Sums to 1 over the vocabulary.
    double probability(std::span<const TokenId> context, TokenId token) const;

    /// Mean over the held-out targets of -ln P, with the same context as a model has: its row.
    double validationLoss(const BatchSource& batches) const;

private:
    static constexpr int kHighestOrder = 5;
    static constexpr std::uint32_t kNone = 0;
    static constexpr std::uint32_t kRoot = 1;

    /// An n-gram, or a context in which some begin.
    struct Node
    {
        std::uint32_t parent = kNone;
        std::int32_t depth = 0;
        /// Number of occurrences; below the highest order: distinct predecessors.
        std::int64_t count = 0;
        std::int64_t following = 0; ///< Sum of the counts of the n-grams that continue this one.
        std::int64_t kinds = 0;     ///< Number of distinct continuations.
    };

    void countTokens(std::span<const TokenId> tokens);
    void countToken(TokenId token, std::vector<std::uint32_t>& suffixes);
    void summarise();
    std::uint32_t find(std::uint32_t parent, TokenId token) const;
    std::uint32_t findContext(std::span<const TokenId> context) const;

    int m_order;
    std::int64_t m_vocabularySize;
    std::vector<Node> m_nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; ///< Node by (node, token).
    std::vector<double> m_discounts;                             ///< Discount by depth, from 1.
};

} // namespace headscope
