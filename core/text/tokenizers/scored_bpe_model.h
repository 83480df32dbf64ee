#pragma once

#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// SentencePiece's byte pair encoding: of all neighbours that make a piece together, those whose
/// piece has the highest score are joined first.
WordModelPtr scoredBpeModel(const TokenTable& table, const PieceModelRules& rules);

} // namespace headscope
