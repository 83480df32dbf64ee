#pragma once

#include "core/experiments/experiment_catalogue.h"
#include "core/train/data/prepared_data.h"

#include <functional>
#include <memory>

namespace headscope {

/// A variant after its training.
struct TrainedVariant
{
    const TrainingConfig& config;
    const PreparedData& data;
    const Model& model;
    AttentionBackend& backend;
    /// Backend factory for training.
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
};

/// Adds the numbers of a measure. Numbers that are not defined for a model are left out.
/// Deterministic for given weights.
/// StartGradients: start_gradient (whole), start_first_block, start_last_block; series
/// start_gradients by layer.
/// Entropy: start_entropy, entropy (normalised, 1 is uniform, mean over heads).
/// PrefixLoss: prefix_loss.
/// WrittenText: written_known, the fraction of its three-token sequences that occur in the training
/// text; sample.
/// Calibration: confidence, calibration_error (expected calibration error over ten bins); series
/// reliability.
/// Lengths: series length_perplexity (of the last 16 tokens of texts of that length).
/// Overflow: largest_score, overflow_rows (fraction of softmax rows that are NaN in float32 when
/// the largest score is not subtracted); a note names the first.
/// WordsToPositions: words_to_positions before training.
/// Size: parameters.
/// Stream, Batches: see addStream, addBatches.
/// Heads: heads, head_channels; series loss_by_heads, one point.
/// Cache: parameters, cache_bytes (of one token in float16); series loss_by_cache, one point.
void addMeasure(Measure measure, const TrainedVariant& variant, VariantResult& result);

/// Adds validation_loss and accuracy (on the held-out targets); written first.
void addHeldOut(const TrainedVariant& variant, VariantResult& result);

/// exp(a_i) / sum_j exp(a_j) in float32 without subtracting the largest: NaN where exp overflows
/// (above 88.7) or every term is 0. Scores of -infinity are masked.
std::vector<float> softmaxWithoutMaximum(std::span<const float> scores);

} // namespace headscope
