#pragma once

#include "core/experiments/experiment_measures.h"

namespace headscope {

/// Mean of -ln P(next token | only the tokens before it), over every fourth position of a few
/// held-out rows: the loss in the situation of generation.
double prefixLoss(const TrainedVariant& variant);

/// Continues the beginnings of held-out rows by sampling (temperature 1, a fixed seed).
void addWrittenText(const TrainedVariant& variant, VariantResult& result);

void addCalibration(const TrainedVariant& variant, VariantResult& result);

/// Measures at half, once, twice and four times the training length; learned positions end at their
/// own.
void addLengths(const TrainedVariant& variant, VariantResult& result);

/// Mean over all predictions of |confidence - accuracy| within ten bins of confidence, weighted by
/// the number of predictions in each (Guo et al. 2017).
struct Reliability
{
    struct Bin
    {
        std::int64_t count = 0;
        double confidence = 0.0; ///< Mean of the bin.
        double accuracy = 0.0;   ///< Fraction of right predictions.
    };

    std::vector<Bin> bins; ///< Bins that contain predictions.

    double error() const;
    double confidence() const; ///< Mean of all predictions.
};

/// Reliability of predictions; `confidences` are the probabilities of the most probable answers.
Reliability reliabilityOf(std::span<const double> confidences, const std::vector<bool>& right);

} // namespace headscope
