#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"

#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// One line of two texts side by side: a token of each, or of one alone.
struct AlignedTokens
{
    std::optional<int> a;
    std::optional<int> b;

    friend bool operator==(const AlignedTokens&, const AlignedTokens&) = default;
};

/// Pairs the tokens of a longest common subsequence of the ids; the others stand alone, a's before
/// b's, in between. Every token appears once, in order. O(n m) time, meant for up to a few
/// thousand.
std::vector<AlignedTokens> alignTokens(std::span<const TokenId> a, std::span<const TokenId> b);

/// How tokens of two texts can be brought side by side.
enum class AlignmentKind {
    Ids,  ///< one vocabulary: equal ids
    Ends, ///< two tokenizers on one text: tokens that end at the same byte, where both have read
          ///< the same
    Texts ///< two tokenizers, two texts: tokens of the same bytes
};

AlignmentKind alignmentKind(const TokenSequence& a, const TokenSequence& b, bool sameVocabulary);

/// By that kind; special tokens pair with special tokens at the same place.
std::vector<AlignedTokens> alignTokens(const TokenSequence& a, const TokenSequence& b,
                                       AlignmentKind kind);

/// True when every id stands for the same bytes in both.
bool haveSameVocabulary(const Tokenizer& a, const Tokenizer& b);

/// How far two patterns [n, n] of one head are apart, mean over the aligned queries: half the sum
/// of |b - a| over aligned keys and of all weight on keys that the other text lacks. 0 the same, 1
/// nothing in common. Throws ShapeError for lines that are not of these patterns.
double alignedDivergence(TensorView a, TensorView b, std::span<const AlignedTokens> lines);

} // namespace headscope
