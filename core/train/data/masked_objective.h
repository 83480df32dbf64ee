#pragma once

#include "core/base/random.h"
#include "core/train/data/batch.h"

namespace headscope {

/// Settings of masked language modelling (Devlin et al. 2019, section 3.1).
struct MaskingSettings
{
    TokenId maskToken = 0;
    std::vector<TokenId> specialTokens; ///< Tokens that are neither chosen nor inserted.
    std::int64_t vocabularySize = 0;
    double fraction = 0.15; ///< Fraction of the other tokens that is chosen.
    double masked = 0.8;    ///< Fraction of the chosen tokens that is replaced by maskToken.
    /// Fraction of the chosen tokens that is replaced by random tokens; the rest is unchanged.
    double replaced = 0.1;
};

/// Chooses positions of batch.inputs, each independently at random, and changes them in place.
/// Targets become the original tokens at chosen positions and kIgnoredTarget elsewhere; if no
/// position was chosen, one is chosen after all, so that every batch has a loss. Throws Error for
/// fractions outside 0 to 1 and batches without any token that may be chosen.
void maskTokens(const MaskingSettings& settings, Random& random, Batch& batch);

} // namespace headscope
