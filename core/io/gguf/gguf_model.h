#pragma once

#include "core/io/gguf/gguf_file.h"
#include "core/io/stored_model.h"
#include "core/text/files/stored_vocabulary.h"

#include <set>

namespace headscope {

/// Models in GGUF files of the architectures that ggufFamilies() lists; llama is also Mistral,
/// Mixtral, SmolLM2 and everything converted as one of them. Weights stay in the file unchanged.
///
/// Rows of q and k in files of some families are in the order that rotates neighbouring channels
/// together; their configuration says interleaved rotary positions, the rows are not reordered.

/// Weights in the order of the layout, one per parameter. `tensors` are the names in the file: what
/// may be stored in several ways is looked up there.
std::vector<StoredWeight> ggufWeights(const std::string& architecture, const ModelConfig& config,
                                      const std::set<std::string>& tensors = {});

/// Finds every parameter, reads none. Throws FormatError when a tensor is missing, unused, of a
/// different shape or of an unsupported type.
StoredModel findGgufModel(const GgufFile& file);

/// Vocabulary in the metadata, unchecked but for the kinds of the values.
StoredVocabulary ggufVocabulary(const GgufFile& file);

} // namespace headscope
