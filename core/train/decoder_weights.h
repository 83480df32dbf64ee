#pragma once

#include "core/model/parameters.h"

namespace headscope {

/// The parameters of one block inside a ParameterSet (or their gradients). Without a feed-forward
/// part the last six are empty.
template<class Value>
struct BlockWeights
{
    using View = BasicTensorView<Value>;
    View norm1Gamma, norm1Beta;        ///< [d]
    View qkvWeight;                    ///< [3 d, d]: query, key, value
    View qkvBias;                      ///< [3 d]
    View outputWeight, outputBias;     ///< [d, d], [d]
    View norm2Gamma, norm2Beta;        ///< [d]
    View expandWeight, expandBias;     ///< fc1: [dFf, d], [dFf]
    View contractWeight, contractBias; ///< fc2: [d, dFf], [d]
};

/// All parameters of a decoder, found by name once so that a training step does no look-up.
template<class Value>
struct DecoderWeights
{
    using View = BasicTensorView<Value>;
    View tokens;    ///< [vocabulary, d]
    View positions; ///< [maxLen, d]; empty unless learned
    std::vector<BlockWeights<Value>> blocks;
    View finalGamma, finalBeta; ///< [d]
    View head;                  ///< [vocabulary, d]; the same as tokens when tied
};

DecoderWeights<const float> bindWeights(const ModelConfig& config, const ParameterSet& parameters);
DecoderWeights<float> bindWeights(const ModelConfig& config, ParameterSet& parameters);

} // namespace headscope
