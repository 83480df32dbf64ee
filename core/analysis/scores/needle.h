#pragma once

#include "core/tensor/tensor.h"
#include "core/text/token_sequence.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Span of a text that the text repeats later: a needle, and the copy of it that a model can write
/// by looking the needle up.
struct Needle
{
    std::int64_t original = 0;   ///< Position of the first token of the earlier occurrence.
    std::int64_t copy = 0;       ///< Position of the first token of the copy, after the original.
    std::vector<TokenId> tokens; ///< Tokens of the span.
};

/// Fewest tokens of a needle; shorter repetitions are idioms.
constexpr std::int64_t kFewestNeedleTokens = 3;

/// Longest span that occurs twice without overlap; of equally long ones that whose copy is last,
/// with the nearest earlier occurrence. None below kFewestNeedleTokens. O(n^2) comparisons.
std::optional<Needle> findNeedle(std::span<const TokenId> ids);

/// Same without special tokens and what a chat's template wrote, which repeat by themselves.
std::optional<Needle> findNeedle(const TokenSequence& tokens);

/// Retrieval score after Wu et al. 2024, "Retrieval Head Mechanistically Explains Long-Context
/// Factuality": |g ∩ k| / |k| with k the tokens of the needle and g those that the head copies. A
/// head copies the token at i + 1 when the largest weight of query i, from which the model predicts
/// that token, is on a key within the needle that is the same token; a tie with any other key does
/// not count. `pattern` is [n, n].
///
/// Differences from the paper: the copy is part of the text instead of generated, so tokens that
/// the model would not have written count as well; the first token of the copy does not count,
/// because no question announces it; a token that occurs twice in the needle counts twice.
double retrievalScore(TensorView pattern, const Needle& needle);

/// A text with the sentence at a depth of `depth` (0 the first, 1 the last) repeated at its end, so
/// that it has a needle. The last sentence is not a choice unless it is the only one; sentences end
/// with . ! ? or a line break. Empty for a text without words.
std::string withNeedle(std::string_view text, double depth);

} // namespace headscope
