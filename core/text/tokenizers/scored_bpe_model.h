#pragma once

#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// SentencePiece's byte pair encoding: of all neighbours that form a piece, those with the highest
/// score are merged first.
WordModelPtr scoredBpeModel(const TokenTable& table, const PieceModelRules& rules);

} // namespace headscope
