#pragma once

#include "core/analysis/scores/score_rule.h"

#include <optional>
#include <vector>

namespace headscope {

/// One key of a row, from the dot product to the attention weight. All in double.
struct ScoreSteps
{
    double dot = 0.0;               ///< Dot product q.k.
    double scaled = 0.0;            ///< Scale times q.k.
    double capped = 0.0;            ///< After the soft cap; equal to `scaled` without one.
    double bias = 0.0;              ///< Bias of positions: ALiBi, relative buckets.
    double score = 0.0;             ///< Capped + bias, before the mask.
    bool masked = false;            ///< If true, `exponential` and `weight` are 0.
    double exponential = 0.0;       ///< exp(score - largest)
    double weight = 0.0;            ///< Exponential / sum.
    std::optional<double> recorded; ///< The trace's pattern in this cell.
};

/// Computation of one row of one head from the trace's own query and key vectors: those after the
/// rotation with rotary positions.
struct RowExplanation
{
    ScoreRule rule;
    std::vector<float> query;             ///< Query vector [d_k].
    std::vector<std::vector<float>> keys; ///< Key vectors [keys][d_k].
    std::vector<ScoreSteps> steps;        ///< One entry per key [keys].
    double largest = 0.0; ///< Largest score of the visible keys; -infinity without any.
    double sum = 0.0;     ///< Sum of the exponentials.
};

/// Explains the row of `cell`; its key does not matter. Empty when the trace lacks the layer's
/// query or key vectors. Without the model that made the trace, scores are assumed to be q.k /
/// sqrt(d_k). Throws ShapeError for a row that does not exist.
std::optional<RowExplanation> explainRow(const Trace& trace, AttentionCell cell,
                                         const Model* model = nullptr);

/// Computation of one attention weight, step by step: weight = exp(score - largest) / sum.
struct PairExplanation
{
    std::vector<float> queryVector; ///< Query vector [d_k].
    std::vector<float> keyVector;   ///< Key vector [d_k].
    std::vector<double> products;   ///< q_i k_i; their sum is `dot`
    double dot = 0.0;
    double scale = 1.0; ///< 1 / sqrt(d_k), or 1.
    double scaled = 0.0;
    double capped = 0.0;
    double bias = 0.0;
    double score = 0.0;
    bool masked = false;      ///< If true, `exponential` and `weight` are 0.
    double largest = 0.0;     ///< Largest score of the row's visible keys.
    double exponential = 0.0; ///< exp(score - largest)
    double sum = 0.0;         ///< Sum of the exponentials of all visible keys.
    double weight = 0.0;
    std::optional<double> recordedWeight; ///< The trace's pattern in this cell.
    ScoreRule rule;

    /// True where an intervention has replaced the computed weight.
    bool isReplaced(double tolerance = 1e-4) const;
};

/// Explains one cell of that row. Throws ShapeError for a cell that does not exist.
std::optional<PairExplanation> explainPair(const Trace& trace, AttentionCell cell,
                                           const Model* model = nullptr);
PairExplanation explainPair(const RowExplanation& row, std::int64_t key);

} // namespace headscope
