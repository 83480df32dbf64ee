#pragma once

#include "core/base/random.h"
#include "core/text/tokenizers/tokenizer.h"

#include <span>
#include <vector>

namespace headscope {

/// Processors applied in this order, as in Hugging Face transformers: repetition penalty,
/// temperature, top-k, top-p, min-p, typical-p. Each sees the probabilities that the previous ones
/// left.
struct SamplingSettings
{
    /// Factor r: logit / r, or logit * r if negative, of tokens that occurred before (Keskar
    /// et al. 2019); below 1 encourages repetition.
    double repetitionPenalty = 1.0;
    /// Divides the logits; 0: greedy, the following settings have no effect.
    double temperature = 1.0;
    int topK = 0;      ///< Keeps the k most probable (ties at the boundary remain); 0: all.
    double topP = 1.0; ///< Smallest set of most probable tokens whose mass reaches p.
    double minP = 0.0; ///< Keeps tokens of at least p times the largest probability.
    /// Smallest set of mass p whose surprisal -log p is nearest to the entropy (Meister et al.
    /// 2023).
    double typicalP = 1.0;
};

/// Throws Error naming the first setting out of its range, its value and the nearest valid one.
void validate(const SamplingSettings& settings);

/// Divides or multiplies the logits (or log-probabilities) of the tokens in `previous`, each once.
/// Ids outside the vocabulary are skipped.
void penaliseRepetition(std::span<double> logits, std::span<const TokenId> previous,
                        double penalty);

/// Probabilities [V] after all processors; removed tokens are exactly 0. Sums in double. `previous`
/// is the input of the repetition penalty: prompt and new tokens.
std::vector<float> samplingDistribution(std::span<const float> logits,
                                        const SamplingSettings& settings,
                                        std::span<const TokenId> previous = {});

/// First index whose cumulative sum exceeds a uniform number; the most probable one when greedy.
TokenId sample(std::span<const float> probabilities, Random& random);

/// Samples with a given number in [0, 1). Never a token of probability 0 while there is another.
TokenId sampleAt(std::span<const float> probabilities, double uniform);

} // namespace headscope
