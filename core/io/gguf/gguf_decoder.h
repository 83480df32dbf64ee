#pragma once

#include "core/io/gguf/gguf_keys.h"
#include "core/io/hugging_face/parameter_name.h"
#include "core/model/config/model_config.h"

#include <vector>

namespace headscope {

/// Which layers the key "attention.sliding_window" is about.
enum class GgufWindows { None, AllLayers, SomeLayers };

/// What a family has beyond the keys of all gated decoders.
struct GgufDecoderKind
{
    RopeSettings::Layout layout = RopeSettings::Layout::Half; ///< As the converter orders rows.
    GgufWindows windows = GgufWindows::None;
    bool experts = false;
    bool sharedExperts = false;
    Norm norm = Norm::Rms;
    bool factors = false; ///< Of embeddings, scores, sublayers and logits (Granite).
};

/// Reads the extents that all architectures have under the same keys.
void readGgufExtents(const GgufKeys& keys, ModelConfig& config);

/// Settings shared by Llama and the families after it: rotary positions, a gated feed-forward
/// network. Windows of some layers and factors are left to the family.
ModelConfig readGgufDecoder(const GgufKeys& keys, const GgufDecoderKind& kind);

/// True for each layer with a window: what "attention.sliding_window_pattern" says, else all but
/// every `period`-th.
std::vector<bool> ggufLocalLayers(const GgufKeys& keys, const ModelConfig& config,
                                  std::int64_t period);

/// Names of their parameters, as in Llama.
extern const PartNames kGgufDecoderNames;

/// The same with those of `changed` in place of Llama's.
PartNames ggufDecoderNames(const PartNames& changed);

} // namespace headscope
