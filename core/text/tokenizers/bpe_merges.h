#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope {

/// Learned merges of a byte pair encoding (Sennrich et al. 2016): which neighbours are merged, in
/// which order, and into what.
class BpeMerges
{
public:
    struct Result
    {
        std::int32_t rank = 0;
        TokenId merged = 0;
    };

    void reserve(std::size_t count) { m_results.reserve(count); }

    /// Adds a pair; adding it again replaces its rank by the later one, as in Hugging Face
    /// tokenizers.
    void add(TokenId left, TokenId right, Result result);

    /// Merges neighbours of `symbols` in place, lowest rank first, leftmost first among equals,
    /// until no pair is left. O(n log n).
    void apply(std::vector<TokenId>& symbols) const;

    /// Does the same and returns, for each remaining symbol, the end of those it was merged from.
    std::vector<std::size_t> applyCounting(std::vector<TokenId>& symbols) const;

private:
    const Result* find(TokenId left, TokenId right) const;
    void applyToShort(std::vector<TokenId>& symbols, std::vector<std::size_t>* ends) const;
    void applyToLong(std::vector<TokenId>& symbols, std::vector<std::size_t>* ends) const;

    std::unordered_map<std::uint64_t, Result> m_results;
};

} // namespace headscope
