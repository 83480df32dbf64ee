#pragma once

#include "core/analysis/scores/head_survey.h"

namespace headscope {

/// The tokens of a marked pair's words. Throws Error for a word that no token covers.
PairPosition placeOf(const MarkedPair& pair, const TokenSequence& tokens);

/// Attention that every head with square patterns pays within the pairs. `samples` hold the
/// patterns. Throws Cancelled.
std::map<AttentionKind, HeadSurvey::PairAttentions>
pairAttentions(const std::vector<TracePtr>& samples, const std::vector<PairPosition>& pairs,
               const std::stop_token& stop = {});

} // namespace headscope
