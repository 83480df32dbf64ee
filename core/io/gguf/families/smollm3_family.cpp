#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

/// Every fourth layer has no positions; no key says so.
constexpr std::size_t kRotationPeriod = 4;

ModelConfig readSmolLm3(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {.layout = RopeSettings::Layout::Interleaved});
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        layers[layer].rotates = (layer + 1) % kRotationPeriod != 0;
    setLayers(config, std::move(layers));
    return config;
}

} // namespace

const GgufFamily kGgufSmolLm3{.architecture = "smollm3",
                              .modelType = "smollm3",
                              .readConfig = readSmolLm3,
                              .names = kGgufDecoderNames};

} // namespace headscope
