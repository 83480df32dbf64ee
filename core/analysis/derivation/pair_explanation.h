#pragma once

#include "core/analysis/scores/score_rule.h"

#include <optional>
#include <vector>

namespace headscope {

/// One key of a row, from the product to the weight. All in double.
struct ScoreSteps
{
    double dot = 0.0;               ///< q.k
    double scaled = 0.0;            ///< scale q.k
    double capped = 0.0;            ///< after the soft cap; `scaled` without one
    double bias = 0.0;              ///< of positions: ALiBi, relative buckets
    double score = 0.0;             ///< capped + bias, before the mask
    bool masked = false;            ///< then `exponential` and `weight` are 0
    double exponential = 0.0;       ///< exp(score - largest)
    double weight = 0.0;            ///< exponential / sum
    std::optional<double> recorded; ///< the trace's pattern in this cell
};

/// How one row of one head comes about, recomputed from the trace's own query and key vectors:
/// those after the rotation where positions are rotary.
struct RowExplanation
{
    ScoreRule rule;
    std::vector<float> query;             ///< [d_k]
    std::vector<std::vector<float>> keys; ///< [keys][d_k]
    std::vector<ScoreSteps> steps;        ///< [keys]
    double largest = 0.0;                 ///< score of the visible keys; -infinity without any
    double sum = 0.0;                     ///< of the exponentials
};

/// The row of `cell`; its key does not matter. Empty when the trace lacks the layer's query or key
/// vectors. Without the model that made the trace, scores are taken to be q.k / sqrt(d_k). Throws
/// ShapeError for a row that does not exist.
std::optional<RowExplanation> explainRow(const Trace& trace, AttentionCell cell,
                                         const Model* model = nullptr);

/// How one attention weight comes about, step by step: weight = exp(score - largest) / sum.
struct PairExplanation
{
    std::vector<float> queryVector; ///< [d_k]
    std::vector<float> keyVector;   ///< [d_k]
    std::vector<double> products;   ///< q_i k_i; their sum is `dot`
    double dot = 0.0;
    double scale = 1.0; ///< 1 / sqrt(d_k), or 1
    double scaled = 0.0;
    double capped = 0.0;
    double bias = 0.0;
    double score = 0.0;
    bool masked = false;      ///< then `exponential` and `weight` are 0
    double largest = 0.0;     ///< score of the row's visible keys
    double exponential = 0.0; ///< exp(score - largest)
    double sum = 0.0;         ///< of the exponentials of all visible keys
    double weight = 0.0;
    std::optional<double> recordedWeight; ///< the trace's pattern in this cell
    ScoreRule rule;
};

/// One pair of that row. Throws ShapeError for a cell that does not exist.
std::optional<PairExplanation> explainPair(const Trace& trace, AttentionCell cell,
                                           const Model* model = nullptr);
PairExplanation explainPair(const RowExplanation& row, std::int64_t key);

} // namespace headscope
