#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"

#include <vector>

namespace headscope {

/// Tokens displayed as one row or column, by rising index.
using TokenGroup = std::vector<int>;

/// Tokens that are left out of the display.
struct HiddenTokens
{
    bool special = false;
    bool first = false; ///< The attention sink: whatever token a text begins with, special or not.
    bool chatTemplate = false; ///< What the template of a chat wrote.

    bool any() const { return special || first || chatTemplate; }

    bool hides(const TokenSequence& tokens, std::size_t index) const;

    friend bool operator==(const HiddenTokens&, const HiddenTokens&) = default;
};

/// Groups of one token each, without the hidden ones.
std::vector<TokenGroup> singleTokens(const TokenSequence& tokens, HiddenTokens hidden = {});

/// Groups the tokens of one word: a new word begins at white space in the text (inside or before a
/// token), at a special token, after one, and where a turn of a chat begins or ends. Tokens of one character stay together.
std::vector<TokenGroup> wordGroups(const TokenSequence& tokens, HiddenTokens hidden = {});

enum class KeyMerge { Sum, Mean };

/// [rows, columns] of a pattern [n, m]: a row is the mean of its queries' rows, a cell the sum or
/// the mean over its keys (with sums, rows still add up to 1; Clark et al. 2019, section 4.1).
/// `renormalise`: divide each row by its sum, for columns that leave tokens out; faintRows become 0
/// throughout. Throws ShapeError for a token that the pattern does not have.
Tensor groupedPattern(TensorView pattern, const std::vector<TokenGroup>& rows,
                      const std::vector<TokenGroup>& columns, KeyMerge merge, bool renormalise);

/// Smallest remaining fraction of a row's attention that is renormalised: below it, the last
/// hundredth would look as certain as a whole row (and, in patterns of 16 bits or of quantised
/// weights, be rounding error for a good part).
constexpr double kLeastFractionLeft = 0.01;

/// For each row whether these columns hold less than kLeastFractionLeft of its attention. A row
/// without any attention at all, of an ablated head, is not faint: it shows its zeros.
std::vector<bool> faintRows(TensorView pattern, const std::vector<TokenGroup>& rows,
                            const std::vector<TokenGroup>& columns);

/// Fraction of the attention of these rows on tokens in no column, mean over the rows.
double massOutside(TensorView pattern, const std::vector<TokenGroup>& rows,
                   const std::vector<TokenGroup>& columns);

} // namespace headscope
