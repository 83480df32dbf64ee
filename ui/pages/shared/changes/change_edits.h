#pragma once

#include "ui/session/view_snapshot.h"

namespace headscope::ui {

// Each returns the changes with one added or removed; the newer of two edits of one cell wins.

/// Sets one weight of the active head's pattern.
Changes withWeight(const ViewSnapshot& view, TokenPair cell, float weight, bool rescale);

/// Sets a whole row: uniform over the visible keys, or all on one key.
Changes withUniformRow(const ViewSnapshot& view, int query);
Changes withRowOn(const ViewSnapshot& view, TokenPair cell);

/// Removes all edits of this row of the active head.
Changes withRowAsComputed(const ViewSnapshot& view, int query);

/// Swaps in another token's embedding here; the token's own id removes the swap.
Changes withSwap(const ViewSnapshot& view, int position, TokenId id);

/// Freezes the patterns as they are on this text: of the active head, or of all.
Changes withFreeze(const ViewSnapshot& view, const RunText& text, bool activeHeadOnly);

/// Why these positions are not available for the model of B; empty when they are.
QString whyNot(const ViewSnapshot& view, const PositionsChoice& positions);

/// Tokens whose embeddings can be swapped: the source of an encoder-decoder.
const TokenSequence* swappableTokens(const ViewSnapshot& view);

/// Key shown in B's pattern, and its trace (A's while there is no B).
const TracePtr& editedTrace(const ViewSnapshot& view);

} // namespace headscope::ui
