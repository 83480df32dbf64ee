#pragma once

#include "core/model/model.h"
#include "core/ops/relative_bias.h"
#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// One cell of one head.
struct AttentionCell
{
    int layer = 0;
    int head = 0;
    std::int64_t query = 0;
    std::int64_t key = 0;
    Stack stack = Stack::Blocks;
    bool cross = false; ///< of the decoder's attention to the source
};

/// What one head of one trace does to a product q.k before the softmax:
/// score = cap tanh(scale q.k / cap) + bias(query, key).
struct ScoreRule
{
    enum class Bias { None, Alibi, Relative };

    bool scaled = true; ///< scale is 1 / sqrt(d_k); else 1 (T5)
    double scale = 1.0;
    double softCap = 0.0; ///< 0: none
    Bias bias = Bias::None;
    double slope = 0.0;           ///< Alibi
    RelativeBuckets buckets;      ///< Relative
    std::vector<double> byBucket; ///< Relative: this head's bias in each bucket
    bool turned = false;          ///< q and k are those after the rotation

    double capped(double scaledScore) const;
    double biasAt(std::int64_t query, std::int64_t key) const;
};

/// Of the model that made the trace, positions in their place included (the trace's settings).
/// Without a model: scores over sqrt(d_k) and nothing else. `queryDim` is d_k.
ScoreRule scoreRule(const Trace& trace, AttentionCell head, std::int64_t queryDim,
                    const Model* model);

/// Which keys the query of `cell` may see: by the recorded scores, else by the mask in the trace's
/// settings, else by the pattern.
std::vector<bool> visibleKeys(const Trace& trace, AttentionCell cell, std::int64_t keys,
                              const Model* model);

} // namespace headscope
