#pragma once

#include "core/io/gguf/gguf_file.h"
#include "core/io/stored_model.h"
#include "core/text/files/stored_vocabulary.h"

namespace headscope {

/// Models in GGUF files. Known values of general.architecture: llama (Llama, Mistral, SmolLM2 and
/// all that was converted as one of them), qwen2 and gpt2. Weights stay in the file as they are.
///
/// Rows of q and k in llama files are in the order that lets neighbouring channels turn together,
/// so the configuration says interleaved rotary positions; nothing is put back.

/// One for every parameter of the layout.
std::vector<StoredWeight> ggufWeights(const std::string& architecture, const ModelConfig& config);

/// Finds every parameter, reads none. Throws FormatError when something is missing, left over, of
/// another shape or of a type that cannot be computed with.
StoredModel findGgufModel(const GgufFile& file);

/// What the metadata say about the vocabulary, unchecked but for the kinds of the values.
StoredVocabulary ggufVocabulary(const GgufFile& file);

} // namespace headscope
