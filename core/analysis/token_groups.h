#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizer.h"

#include <vector>

namespace headscope {

/// Tokens that are shown as one row or column, by rising index.
using TokenGroup = std::vector<int>;

/// Each token alone; without the special ones when `hideSpecial`.
std::vector<TokenGroup> singleTokens(const TokenSequence& tokens, bool hideSpecial = false);

/// Pieces of one word together: a new word begins at white space in the text (inside or before a
/// token), at a special token, and after one. Pieces of one character stay together.
std::vector<TokenGroup> wordGroups(const TokenSequence& tokens, bool hideSpecial = false);

enum class KeyMerge { Sum, Mean };

/// [rows, columns] of a pattern [n, m]: a row is the mean of its queries' rows, a cell the sum or
/// the mean over its keys (sums keep rows adding up to 1; Clark et al. 2019, section 4.1).
/// `renormalise`: divide each row by its sum when that is above 0, for columns that leave tokens
/// out. Throws ShapeError for a token that the pattern does not have.
Tensor groupedPattern(TensorView pattern, const std::vector<TokenGroup>& rows,
                      const std::vector<TokenGroup>& columns, KeyMerge merge, bool renormalise);

/// Share of the attention of these rows that falls on tokens in no column, mean over the rows.
double massOutside(TensorView pattern, const std::vector<TokenGroup>& rows,
                   const std::vector<TokenGroup>& columns);

} // namespace headscope
