#pragma once

#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// The most probable cut (unigram). Throws Error for scores that are no finite numbers.
WordModelPtr unigramModel(const TokenTable& table, const PieceModelRules& rules);

} // namespace headscope
