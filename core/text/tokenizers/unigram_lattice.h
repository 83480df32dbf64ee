#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// Prefix tree of a unigram model's pieces: finds those that begin at a position.
class PieceTrie
{
public:
    void insert(std::string_view piece, TokenId id);

    /// Calls body(id, length in bytes) for every piece that `text` begins with, short ones first.
    template<class Body>
    void forPrefixes(std::string_view text, const Body& body) const
    {
        std::uint32_t node = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const std::uint32_t* next = child(node, text[i]);
            if (next == nullptr)
                return;
            node = *next;
            if (m_nodes[node].id >= 0)
                body(m_nodes[node].id, i + 1);
        }
    }

private:
    struct Node
    {
        TokenId id = -1;
        std::vector<std::pair<char, std::uint32_t>> children; ///< Children by character.
    };

    const std::uint32_t* child(std::uint32_t node, char byte) const;

    std::vector<Node> m_nodes{Node{}};
};

/// One piece of a segmentation.
struct PieceCut
{
    TokenId id = -1; ///< -1: a character that is not a piece
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Scores that a search adds up.
struct PieceScores
{
    const PieceTrie& trie;
    const std::vector<double>& scores; ///< Log-probabilities by id.
    double unknown = 0.0;              ///< Log-probability of a character that is not a piece.
    TokenId without = -1;              ///< Piece that may not be used.
    bool singlePrecision = false;      ///< Rounds sums as SentencePiece does.
};

/// Segmentation of valid UTF-8 with the largest sum of ln p (Viterbi); of equal ones that with the
/// longest last pieces.
std::vector<PieceCut> mostProbableCut(std::string_view text, const PieceScores& scores);

/// Adds to expected[id] how often each piece occurs in a text, on average over all its
/// segmentations by their probability, times `weight` (forward-backward). Returns ln p of the text.
double addExpectedCounts(std::string_view text, const PieceScores& scores, double weight,
                         std::vector<double>& expected);

} // namespace headscope
