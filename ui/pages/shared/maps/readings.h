#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/model.h"
#include "core/trace/trace.h"
#include "ui/workers/forward/patterns.h"

#include <vector>

namespace headscope::ui {

/// Readings of one head of one trace.
struct HeadReading
{
    const Trace& trace;
    int layer = 0;
    int head = 0;
    AttentionKind part = AttentionKind::Self;
};

/// Attention weights of the head [n, m]; empty without a pattern.
HeatmapMatrix patternOf(const HeadReading& reading);

/// Scores of all pairs before the mask [n, m], by the rule of the traced model (scale, soft cap,
/// position bias, rotation). Empty without queries and keys.
std::vector<float> scoreMatrix(const HeadReading& reading, const Model* model = nullptr);

/// Weight times the length of the value vector [n, m] (Kobayashi et al. 2020, without W_O).
std::vector<float> valueWeighted(const HeadReading& reading);

/// Probability of `id` after `position`; 0 without logits.
double probabilityOf(const Trace& trace, int position, TokenId id);

} // namespace headscope::ui
