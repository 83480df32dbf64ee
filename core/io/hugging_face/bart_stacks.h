#pragma once

#include "core/io/hugging_face/hugging_face_family.h"

// What BART and the encoder-decoders after it share: keys of config.json and names of tensors.

namespace headscope {

/// Extents, activation, embedding factor and dropout of both stacks, which share one embedding
/// matrix.
ModelConfig readBartStacks(const ConfigReader& json);

/// Names of both stacks' parameters, after "encoder." or "decoder.".
PartNames bartStackNames();

/// Puts the stack before those names, and finds embeddings and head.
void describeBartStack(const WeightContext& context, StoredWeight& weight);

/// True for copies of the embedding matrix and for version numbers of older files.
bool isRedundantInBartStacks(const ModelConfig& config, std::string_view name);

} // namespace headscope
