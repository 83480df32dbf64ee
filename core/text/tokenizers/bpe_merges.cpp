#include "core/text/tokenizers/bpe_merges.h"

#include <numeric>
#include <queue>

namespace headscope {

namespace {

constexpr std::size_t kShortWord = 24; ///< Length below which checking every pair again is faster.

std::uint64_t pairKey(TokenId left, TokenId right)
{
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
           static_cast<std::uint32_t>(right);
}

/// A pair that may be merged: valid while both symbols are unchanged.
struct Candidate
{
    std::int32_t rank;
    std::uint32_t position;
    TokenId left;
    TokenId right;
    TokenId merged;

    bool operator<(const Candidate& other) const // orders a queue with the smallest on top
    {
        return rank != other.rank ? rank > other.rank : position > other.position;
    }
};

/// A word as a linked list of symbols that shrinks; kEnd marks both ends.
struct Node
{
    static constexpr std::uint32_t kEnd = 0xFFFFFFFFU;
    TokenId symbol = -1; ///< -1: merged into its left neighbour
    std::uint32_t previous = kEnd;
    std::uint32_t next = kEnd;
};

std::vector<Node> linked(const std::vector<TokenId>& symbols)
{
    std::vector<Node> nodes(symbols.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        nodes[i].symbol = symbols[i];
        nodes[i].previous = i == 0 ? Node::kEnd : i - 1;
        nodes[i].next = i + 1 == nodes.size() ? Node::kEnd : i + 1;
    }
    return nodes;
}

/// Merges the right symbol of the pair at `position` into the left one.
void join(std::vector<Node>& nodes, std::uint32_t position, TokenId merged)
{
    Node& left = nodes[position];
    Node& right = nodes[left.next];
    left.symbol = merged;
    left.next = right.next;
    right.symbol = -1;
    if (left.next != Node::kEnd)
        nodes[left.next].previous = position;
}

} // namespace

void BpeMerges::add(TokenId left, TokenId right, Result result)
{
    m_results[pairKey(left, right)] = result;
}

const BpeMerges::Result* BpeMerges::find(TokenId left, TokenId right) const
{
    const auto found = m_results.find(pairKey(left, right));
    return found == m_results.end() ? nullptr : &found->second;
}

void BpeMerges::apply(std::vector<TokenId>& symbols) const
{
    if (symbols.size() <= kShortWord)
        applyToShort(symbols, nullptr);
    else
        applyToLong(symbols, nullptr);
}

std::vector<std::size_t> BpeMerges::applyCounting(std::vector<TokenId>& symbols) const
{
    std::vector<std::size_t> ends(symbols.size());
    std::iota(ends.begin(), ends.end(), std::size_t{1});
    if (symbols.size() <= kShortWord)
        applyToShort(symbols, &ends);
    else
        applyToLong(symbols, &ends);
    return ends;
}

void BpeMerges::applyToShort(std::vector<TokenId>& symbols, std::vector<std::size_t>* ends) const
{
    while (symbols.size() > 1) {
        const Result* best = nullptr;
        std::size_t where = 0;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            const Result* candidate = find(symbols[i], symbols[i + 1]);
            if (candidate != nullptr && (best == nullptr || candidate->rank < best->rank)) {
                best = candidate;
                where = i;
            }
        }
        if (best == nullptr)
            return;
        symbols[where] = best->merged;
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(where) + 1);
        if (ends != nullptr)
            ends->erase(ends->begin() + static_cast<std::ptrdiff_t>(where));
    }
}

void BpeMerges::applyToLong(std::vector<TokenId>& symbols, std::vector<std::size_t>* ends) const
{
    std::vector<Node> nodes = linked(symbols);
    std::priority_queue<Candidate> queue;
    const auto consider = [&](std::uint32_t position) {
        if (position == Node::kEnd || nodes[position].next == Node::kEnd)
            return;
        const TokenId left = nodes[position].symbol;
        const TokenId right = nodes[nodes[position].next].symbol;
        if (const Result* result = find(left, right); result != nullptr)
            queue.push({result->rank, position, left, right, result->merged});
    };
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        consider(i);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        const Node& node = nodes[best.position];
        if (node.symbol != best.left || node.next == Node::kEnd ||
            nodes[node.next].symbol != best.right)
            continue;
        join(nodes, best.position, best.merged);
        consider(node.previous);
        consider(best.position);
    }
    symbols.clear();
    if (ends != nullptr)
        ends->clear();
    for (std::uint32_t i = 0; i != Node::kEnd && i < nodes.size(); i = nodes[i].next) {
        symbols.push_back(nodes[i].symbol);
        if (ends != nullptr)
            ends->push_back(nodes[i].next == Node::kEnd ? nodes.size() : nodes[i].next);
    }
}

} // namespace headscope
