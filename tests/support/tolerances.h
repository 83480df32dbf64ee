#pragma once

#include "tests/support/golden.h"

namespace headscope::test {

// |got - expected| <= absolute + relative * |expected|, by kind of result in float32. The measured noise of
// float32 PyTorch against float64 is a third to a tenth of these.
constexpr Tolerance kAttention{5e-6, 1e-5};
constexpr Tolerance kLargeScores{5e-3, 1e-6};       ///< scores and lse of large_scores*
constexpr Tolerance kLargeScoresRows{1e-4, 1e-5};   ///< their pattern, context and gradients
constexpr Tolerance kLargeOffsetScores{2e-3, 2e-3}; ///< large_offset_scores
constexpr Tolerance kOps{1e-5, 1e-5};
constexpr Tolerance kLayerNorm{2e-4, 1e-5};
constexpr Tolerance kRmsNormGradients{1e-4, 1e-5};
constexpr Tolerance kPositions{1e-6, 0.0};
constexpr Tolerance kModelOutputs{1e-5, 1e-5};
constexpr Tolerance kModelGradients{2e-5, 1e-5};
constexpr Tolerance kTrainingCurve{0.0, 1e-4};
constexpr Tolerance kTrainedWeights{2e-4, 1e-4}; ///< without *.attn.k.bias
constexpr Tolerance kSampling{1e-6, 1e-5};
constexpr Tolerance kInterpretability{1e-5, 1e-5};

} // namespace headscope::test
