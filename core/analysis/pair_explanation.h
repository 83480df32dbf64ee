#pragma once

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
};

/// How one attention weight comes about, step by step, recomputed in double from the trace's own
/// query and key vectors: weight = exp(score - largest) / sum, score = scale * q.k.
struct PairExplanation
{
    std::vector<float> queryVector; ///< [d_k]
    std::vector<float> keyVector;   ///< [d_k]
    std::vector<double> products;   ///< q_i k_i; their sum is `dot`
    double dot = 0.0;
    double scale = 1.0; ///< 1 / sqrt(d_k)
    double score = 0.0;
    bool masked = false;      ///< then `exponential` and `weight` are 0
    double largest = 0.0;     ///< score of the row's visible keys
    double exponential = 0.0; ///< exp(score - largest)
    double sum = 0.0;         ///< of the exponentials of all visible keys
    double weight = 0.0;
    std::optional<double> recordedWeight; ///< the trace's pattern in this cell
};

/// Empty when the trace lacks the layer's query or key vectors (turned ones are preferred). Which keys are visible is read from
/// the recorded scores, else from the mask in the trace's settings, else from the pattern. Throws
/// ShapeError for a cell that does not exist.
std::optional<PairExplanation> explainPair(const Trace& trace, AttentionCell cell);

} // namespace headscope
