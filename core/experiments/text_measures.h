#pragma once

#include "core/experiments/experiment_measures.h"

namespace headscope {

/// Mean of -ln P(next token | the tokens before it and nothing else), over every fourth position of
/// a few held-out rows: what a model has to live with when it writes.
double prefixLoss(const TrainedVariant& variant);

/// Continues the beginnings of held-out rows by sampling (temperature 1, a fixed seed).
void addWrittenText(const TrainedVariant& variant, VariantResult& result);

void addCalibration(const TrainedVariant& variant, VariantResult& result);

/// At half, once, twice and four times the length of training; a learned table ends at its own.
void addLengths(const TrainedVariant& variant, VariantResult& result);

/// Mean over all predictions of |confidence - accuracy| within ten bins of confidence, weighted by
/// how many fall into each (Guo et al. 2017).
struct Reliability
{
    struct Bin
    {
        std::int64_t count = 0;
        double confidence = 0.0; ///< mean
        double accuracy = 0.0;   ///< share that was right
    };

    std::vector<Bin> bins; ///< those that hold predictions

    double error() const;
    double confidence() const; ///< mean of all
};

/// `confidences` are the probabilities of the most probable answers.
Reliability reliabilityOf(std::span<const double> confidences, const std::vector<bool>& right);

} // namespace headscope
