#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

/// Rows of q and k are in the order that rotates neighbouring channels together.
ModelConfig readLlama(const GgufKeys& keys)
{
    return readGgufDecoder(keys, {.layout = RopeSettings::Layout::Interleaved,
                                  .windows = GgufWindows::AllLayers,
                                  .experts = true});
}

} // namespace

const GgufFamily kGgufLlama{.architecture = "llama",
                            .modelType = "llama",
                            .readConfig = readLlama,
                            .names = kGgufDecoderNames};

} // namespace headscope
