#pragma once

#include "core/base/random.h"
#include "core/text/tokenizer.h"

#include <span>
#include <vector>

namespace headscope {

/// Order: temperature, top-k, top-p, as in Hugging Face transformers.
struct SamplingSettings
{
    double temperature = 1.0; ///< 0: greedy
    int topK = 0;             ///< keep the k most probable (ties at the border stay); 0: all
    double topP = 1.0;        ///< smallest set of most probable tokens whose mass reaches p
};

/// Probabilities [V] after all processors; removed tokens are exactly 0. Sums in double.
std::vector<float> samplingDistribution(std::span<const float> logits,
                                        const SamplingSettings& settings);

/// First index whose running sum exceeds a uniform number; the most probable one when greedy.
TokenId sample(std::span<const float> probabilities, Random& random);

/// The same for a given number in [0, 1). Never a token of probability 0 while there is another.
TokenId sampleAt(std::span<const float> probabilities, double uniform);

} // namespace headscope
