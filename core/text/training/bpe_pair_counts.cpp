#include "core/text/training/bpe_pair_counts.h"

#include "core/base/error.h"

#include <algorithm>

namespace headscope {

std::uint64_t BpePairCounts::key(Pair pair)
{
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32 |
           static_cast<std::uint32_t>(pair.second);
}

void BpePairCounts::addWord(const std::vector<TokenId>& symbols, std::int64_t count)
{
    if (m_symbols.size() + symbols.size() >= kEnd)
        throw Error("the training text has more than four billion bytes in distinct words", {},
                    "Train on a part of it");
    const auto word = static_cast<std::uint32_t>(m_wordCounts.size());
    m_wordCounts.push_back(count);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const auto position = static_cast<std::uint32_t>(m_symbols.size());
        m_symbols.push_back(symbols[i]);
        m_previous.push_back(i == 0 ? kEnd : position - 1);
        m_next.push_back(i + 1 == symbols.size() ? kEnd : position + 1);
        m_wordOf.push_back(word);
        if (i > 0)
            appear({symbols[i - 1], symbols[i]}, count, position - 1);
    }
}

void BpePairCounts::start()
{
    for (const auto& [packed, entry] : m_pairs) {
        const Pair pair{static_cast<TokenId>(packed >> 32), static_cast<TokenId>(packed)};
        m_queue.push({entry.count, pair});
    }
    m_appeared.clear();
    ++m_mergeNumber;
}

std::int64_t BpePairCounts::count(Pair pair) const
{
    const auto found = m_pairs.find(key(pair));
    return found == m_pairs.end() ? 0 : found->second.count;
}

void BpePairCounts::change(Pair pair, std::int64_t by)
{
    m_pairs[key(pair)].count += by;
}

void BpePairCounts::appear(Pair pair, std::int64_t count, std::uint32_t position)
{
    Entry& entry = m_pairs[key(pair)];
    if (entry.grewInMerge != m_mergeNumber) {
        entry.grewInMerge = m_mergeNumber;
        m_appeared.push_back(pair);
    }
    entry.count += count;
    entry.positions.push_back(position);
}

std::optional<BpePairCounts::Pair> BpePairCounts::mostFrequent(std::int64_t minimum)
{
    while (!m_queue.empty()) {
        const Ranked best = m_queue.top();
        m_queue.pop();
        const std::int64_t current = m_pairs[key(best.pair)].count;
        if (current == best.count && current >= minimum)
            return best.pair;
        if (current != best.count && current > 0)
            m_queue.push({current, best.pair});
        else if (current == best.count)
            return std::nullopt;
    }
    return std::nullopt;
}

bool BpePairCounts::standsAt(Pair pair, std::uint32_t position) const
{
    const std::uint32_t next = m_next[position];
    return m_symbols[position] == pair.first && next != kEnd && m_symbols[next] == pair.second;
}

void BpePairCounts::mergeAt(std::uint32_t position, Pair pair, TokenId merged)
{
    const std::int64_t count = m_wordCounts[m_wordOf[position]];
    const std::uint32_t previous = m_previous[position];
    const std::uint32_t right = m_next[position];
    const std::uint32_t next = m_next[right];
    m_symbols[position] = merged;
    m_symbols[right] = kGone;
    m_next[position] = next;
    if (previous != kEnd) {
        change({m_symbols[previous], pair.first}, -count);
        appear({m_symbols[previous], merged}, count, previous);
    }
    if (next != kEnd) {
        m_previous[next] = position;
        change({pair.second, m_symbols[next]}, -count);
        appear({merged, m_symbols[next]}, count, position);
    }
}

void BpePairCounts::merge(Pair pair, TokenId merged)
{
    std::vector<std::uint32_t> positions = std::move(m_pairs[key(pair)].positions);
    if (!std::is_sorted(positions.begin(), positions.end()))
        std::sort(positions.begin(), positions.end());
    for (const std::uint32_t position : positions) {
        if (standsAt(pair, position))
            mergeAt(position, pair, merged);
    }
    m_pairs.erase(key(pair));
    for (const Pair& appeared : m_appeared) {
        const auto found = m_pairs.find(key(appeared));
        if (found != m_pairs.end() && found->second.count > 0)
            m_queue.push({found->second.count, appeared});
    }
    m_appeared.clear();
    ++m_mergeNumber;
}

} // namespace headscope
