#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// The labs by what they are about; labCatalogue() puts them in order.
std::vector<Lab> labsOfText();      ///< tokenizers
std::vector<Lab> labsOfOrder();     ///< embeddings, positions
std::vector<Lab> labsOfAttention(); ///< sqrt(d_k), shared heads, KV cache, algorithms, complexity
std::vector<Lab> labsOfMasks();
std::vector<Lab> labsOfBlocks();   ///< norms, residual stream, experts, initialisation
std::vector<Lab> labsOfModels();   ///< architectures, parameters
std::vector<Lab> labsOfTraining(); ///< losses, optimizers, schedules, scaling, pitfalls
std::vector<Lab> labsOfDecoding();
std::vector<Lab> labsOfHeads(); ///< what heads learn; attention is not explanation

} // namespace headscope
