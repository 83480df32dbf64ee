#pragma once

#include "ui/session/looking.h"

namespace headscope::ui {

// Each returns the changes with one more or one less; of two edits of one cell the newer stays.

/// One weight of the active head's pattern.
Changes withWeight(const Looking& looking, TokenPair cell, float weight, bool rescale);

/// A whole row: the same for every key that the query may see, or all on one key.
Changes withUniformRow(const Looking& looking, int query);
Changes withRowOn(const Looking& looking, TokenPair cell);

/// Without any edit of this row of the active head.
Changes withRowAsComputed(const Looking& looking, int query);

/// Another token's embedding in this place; the token's own id takes the swap away.
Changes withSwap(const Looking& looking, int position, TokenId id);

/// The patterns as they are on this text: of the active head, or of all.
Changes withFreeze(const Looking& looking, const RunText& text, bool activeHeadOnly);

/// Why the model of B cannot have these positions; empty when it can.
QString whyNot(const Looking& looking, const PositionsChoice& positions);

/// The tokens whose embeddings can be swapped: the source of an encoder-decoder.
const TokenSequence* swappableTokens(const Looking& looking);

/// The key that B's pattern is of, and that trace (A's while there is no B).
const TracePtr& editedTrace(const Looking& looking);

} // namespace headscope::ui
