#pragma once

#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// Most probable segmentation (unigram). Throws Error for scores that are not finite.
WordModelPtr unigramModel(const TokenTable& table, const PieceModelRules& rules);

} // namespace headscope
