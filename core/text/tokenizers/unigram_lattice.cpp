#include "core/text/tokenizers/unigram_lattice.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double logAdd(double a, double b)
{
    if (a < b)
        std::swap(a, b);
    return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

/// Calls edge(id, begin, end, ln p) for all pieces of a text, from left to right; a character that
/// is not a piece has id -1.
template<class Edge>
void forEdges(std::string_view text, const PieceScores& scores, const Edge& edge)
{
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t character = utf8CharacterAt(text, begin).length;
        bool isKnown = false;
        scores.trie.forPrefixes(text.substr(begin), [&](TokenId id, std::size_t length) {
            if (id == scores.without)
                return;
            isKnown = isKnown || length == character;
            edge(id, begin, begin + length, scores.scores[static_cast<std::size_t>(id)]);
        });
        if (!isKnown)
            edge(-1, begin, begin + character, scores.unknown);
        begin += character;
    }
}

} // namespace

void PieceTrie::insert(std::string_view piece, TokenId id)
{
    std::uint32_t node = 0;
    for (const char byte : piece) {
        if (const std::uint32_t* next = child(node, byte)) {
            node = *next;
            continue;
        }
        const auto added = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back({});
        auto& children = m_nodes[node].children;
        children.insert(std::ranges::lower_bound(children, std::pair(byte, 0U)), {byte, added});
        node = added;
    }
    m_nodes[node].id = id;
}

const std::uint32_t* PieceTrie::child(std::uint32_t node, char byte) const
{
    const auto& children = m_nodes[node].children;
    const auto found = std::ranges::lower_bound(children, std::pair(byte, 0U));
    return found != children.end() && found->first == byte ? &found->second : nullptr;
}

std::vector<PieceCut> mostProbableCut(std::string_view text, const PieceScores& scores)
{
    std::vector<double> best(text.size() + 1, kNever);
    std::vector<PieceCut> last(text.size() + 1);
    best[0] = 0.0;
    forEdges(text, scores, [&](TokenId id, std::size_t begin, std::size_t end, double score) {
        double sum = best[begin] + score;
        if (scores.singlePrecision)
            sum = static_cast<double>(static_cast<float>(sum));
        if (sum > best[end]) {
            best[end] = sum;
            last[end] = {id, begin, end};
        }
    });
    std::vector<PieceCut> cut;
    for (std::size_t end = text.size(); end > 0; end = cut.back().begin)
        cut.push_back(last[end]);
    std::ranges::reverse(cut);
    return cut;
}

double addExpectedCounts(std::string_view text, const PieceScores& scores, double weight,
                         std::vector<double>& expected)
{
    struct Edge
    {
        TokenId id;
        std::size_t begin;
        std::size_t end;
        double score;
    };

    std::vector<Edge> edges;
    std::vector<double> before(text.size() + 1,
                               kNever); ///< Log-probability of the text before each position.
    std::vector<double> after(text.size() + 1, kNever);
    before[0] = 0.0;
    after[text.size()] = 0.0;
    forEdges(text, scores, [&](TokenId id, std::size_t begin, std::size_t end, double score) {
        edges.push_back({id, begin, end, score});
        before[end] = logAdd(before[end], before[begin] + score);
    });
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
        after[edge->begin] = logAdd(after[edge->begin], edge->score + after[edge->end]);
    const double whole = before[text.size()];
    for (const Edge& edge : edges) {
        if (edge.id >= 0)
            expected[static_cast<std::size_t>(edge.id)] +=
                weight * std::exp(before[edge.begin] + edge.score + after[edge.end] - whole);
    }
    return whole;
}

} // namespace headscope
