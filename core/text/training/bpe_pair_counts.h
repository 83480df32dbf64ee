#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope {

/// Words of a corpus as symbols, with the frequency of each pair of neighbours. Merging a pair
/// updates only its occurrences and their neighbours; nothing is recounted.
class BpePairCounts
{
public:
    using Pair = std::pair<TokenId, TokenId>;

    /// Adds `symbols` as one word that occurs `count` times.
    void addWord(const std::vector<TokenId>& symbols, std::int64_t count);

    /// Call it after the last word.
    void start();

    /// The most frequent pair that occurs at least `minimum` times; among equals the smallest.
    std::optional<Pair> mostFrequent(std::int64_t minimum);

    std::int64_t count(Pair pair) const; ///< 0 for a pair that does not occur

    void merge(Pair pair, TokenId merged);

private:
    static constexpr std::uint32_t kEnd = 0xFFFFFFFFU;
    static constexpr TokenId kGone = -1; ///< Merged into its left neighbour.

    struct Entry
    {
        std::int64_t count = 0;
        std::uint32_t grewInMerge = kEnd;     ///< Last merge that made it more frequent.
        std::vector<std::uint32_t> positions; ///< Positions of the left symbol; may be out of date.
    };

    struct Ranked
    {
        std::int64_t count;
        Pair pair;

        bool operator<(const Ranked& other) const
        {
            return count != other.count ? count < other.count : pair > other.pair;
        }
    };

    static std::uint64_t key(Pair pair);
    void change(Pair pair, std::int64_t by);
    void appear(Pair pair, std::int64_t count, std::uint32_t position);
    bool standsAt(Pair pair, std::uint32_t position) const;
    void mergeAt(std::uint32_t position, Pair pair, TokenId merged);

    std::vector<TokenId> m_symbols; ///< All words, one after another.
    std::vector<std::uint32_t> m_previous;
    std::vector<std::uint32_t> m_next;
    std::vector<std::uint32_t> m_wordOf;
    std::vector<std::int64_t> m_wordCounts;
    std::unordered_map<std::uint64_t, Entry> m_pairs;
    std::priority_queue<Ranked> m_queue; ///< Counts may be out of date; checked when removed.
    std::vector<Pair> m_appeared;        ///< Pairs more frequent since the last merge.
    std::uint32_t m_mergeNumber = 0;
};

} // namespace headscope
