#pragma once

#include "core/base/random.h"
#include "core/train/data/batch.h"

namespace headscope {

/// Masked language modelling (Devlin et al. 2019, section 3.1).
struct MaskingSettings
{
    TokenId maskToken = 0;
    std::vector<TokenId> specialTokens; ///< never chosen, never put in
    std::int64_t vocabularySize = 0;
    double share = 0.15;   ///< of the other tokens is chosen
    double masked = 0.8;   ///< of the chosen becomes maskToken
    double replaced = 0.1; ///< of the chosen becomes any token; the rest stays
};

/// Chooses positions of batch.inputs, each by its own draw, and changes them in place. Targets
/// become the tokens that stood at chosen positions and kIgnoredTarget elsewhere; when the draws
/// chose none, one position is chosen after all, so that every batch has a loss. Throws Error for
/// shares outside 0 to 1 and batches without any token that may be chosen.
void maskTokens(const MaskingSettings& settings, Random& random, Batch& batch);

} // namespace headscope
