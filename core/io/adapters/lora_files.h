#pragma once

#include "core/model/edits/edited_model.h"
#include "core/model/edits/lora_adapter.h"
#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope {

/// Reads a LoRA adapter for the model `base`: a PEFT folder (or a file in it) or a GGUF file. The
/// modules that it names are found by the names of the family that `base` was opened as, so `base`
/// must be a Hugging Face folder or a GGUF file; a GGUF adapter needs a GGUF base of its own
/// architecture. For a PEFT adapter on a GGUF base whose rows of queries and keys are in another
/// order, its rows are moved with them. Throws FormatError, in one sentence, for an adapter that
/// cannot be read, names a module that the model does not have, or does not fit.
LoraAdapter loadLoraAdapter(const std::filesystem::path& path, const LoadedModel& base);

/// editedModel() with adapters (see adapterEdit()) among the edits, in order.
std::shared_ptr<const Model> editedWithAdapters(const LoadedModel& base,
                                                const std::vector<WeightEdit>& edits,
                                                const OpenCheckpoint& open,
                                                const std::stop_token& stop = {});

} // namespace headscope
