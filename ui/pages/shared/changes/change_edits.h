#pragma once

#include "ui/session/looking.h"

namespace headscope::ui {

// Each returns the changes with one added or removed; the newer of two edits of one cell wins.

/// Sets one weight of the active head's pattern.
Changes withWeight(const Looking& looking, TokenPair cell, float weight, bool rescale);

/// Sets a whole row: uniform over the visible keys, or all on one key.
Changes withUniformRow(const Looking& looking, int query);
Changes withRowOn(const Looking& looking, TokenPair cell);

/// Removes all edits of this row of the active head.
Changes withRowAsComputed(const Looking& looking, int query);

/// Swaps in another token's embedding here; the token's own id removes the swap.
Changes withSwap(const Looking& looking, int position, TokenId id);

/// Freezes the patterns as they are on this text: of the active head, or of all.
Changes withFreeze(const Looking& looking, const RunText& text, bool activeHeadOnly);

/// Why these positions are not available for the model of B; empty when they are.
QString whyNot(const Looking& looking, const PositionsChoice& positions);

/// Tokens whose embeddings can be swapped: the source of an encoder-decoder.
const TokenSequence* swappableTokens(const Looking& looking);

/// Key shown in B's pattern, and its trace (A's while there is no B).
const TracePtr& editedTrace(const Looking& looking);

} // namespace headscope::ui
