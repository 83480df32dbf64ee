#pragma once

#include "core/model/model.h"
#include "core/ops/relative_bias.h"
#include "core/trace/trace.h"

#include <optional>
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
    bool cross = false; ///< True for cross-attention of the decoder.
};

/// Computation of a head's score from a product q.k, before the softmax: score = cap tanh(scale q.k
/// / cap) + bias(query, key).
struct ScoreRule
{
    enum class Bias { None, Alibi, Relative };

    bool scaled = true; ///< True: scale is 1 / sqrt(d_k); false: 1 (T5).
    double scale = 1.0;
    double softCap = 0.0; ///< 0: no cap.
    Bias bias = Bias::None;
    double slope = 0.0;           ///< Slope of Alibi.
    RelativeBuckets buckets;      ///< Buckets of Relative.
    std::vector<double> byBucket; ///< For Relative: this head's bias in each bucket.
    bool turned = false;          ///< True if q and k are those after the rotation.
    /// Logit of the head's sink, which the softmax counts beside the scores.
    std::optional<double> sink;

    double capped(double scaledScore) const;
    double biasAt(std::int64_t query, std::int64_t key) const;
};

/// Rule of the model that made the trace, with the positions in force (the trace's settings).
/// Without a model: scores divided by sqrt(d_k) and nothing else. `queryDim` is d_k.
ScoreRule scoreRule(const Trace& trace, AttentionCell head, std::int64_t queryDim,
                    const Model* model);

/// Keys that the query of `cell` can attend to: by the recorded scores, else by the mask in the
/// trace's settings, else by the pattern.
std::vector<bool> visibleKeys(const Trace& trace, AttentionCell cell, std::int64_t keys,
                              const Model* model);

} // namespace headscope
