#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"

#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// One row of two aligned texts: a token of each, or of only one.
struct AlignedTokens
{
    std::optional<int> a;
    std::optional<int> b;

    friend bool operator==(const AlignedTokens&, const AlignedTokens&) = default;
};

/// Aligns the tokens by a longest common subsequence of the ids; the others are unpaired, a's
/// before b's, in between. Every token appears once, in order. O(n m) time, meant for up to a few
/// thousand.
std::vector<AlignedTokens> alignTokens(std::span<const TokenId> a, std::span<const TokenId> b);

/// Ways to align the tokens of two texts.
enum class AlignmentKind {
    Ids, ///< One vocabulary: equal ids.
    /// Two tokenizers on one text: tokens that end at the same byte, where both have read the same.
    Ends,
    Texts ///< Two tokenizers, two texts: tokens with the same bytes.
};

AlignmentKind alignmentKind(const TokenSequence& a, const TokenSequence& b, bool sameVocabulary);

/// Aligns by that kind; special tokens pair with special tokens at the same position.
std::vector<AlignedTokens> alignTokens(const TokenSequence& a, const TokenSequence& b,
                                       AlignmentKind kind);

/// True when every id encodes the same bytes in both.
bool haveSameVocabulary(const Tokenizer& a, const Tokenizer& b);

/// Divergence of two patterns [n, n] of one head, mean over the aligned queries: half the sum of |b
/// - a| over aligned keys and of all weight on keys that the other text lacks. 0: equal, 1:
/// disjoint. Throws ShapeError for lines that do not match these patterns.
double alignedDivergence(TensorView a, TensorView b, std::span<const AlignedTokens> lines);

} // namespace headscope
