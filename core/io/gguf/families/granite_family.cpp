#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

ModelConfig readGranite(const GgufKeys& keys)
{
    ModelConfig config =
        readGgufDecoder(keys, {.layout = RopeSettings::Layout::Interleaved, .factors = true});
    if (!keys.flag("rope.scaling.finetuned", true)) // llama.cpp turns the rotation off by it
        keys.refuse("rope.scaling.finetuned", "Use true: rotations are always on");
    const auto factor = [&](const char* name) {
        const double value = keys.number(name, 0.0);
        return value == 0.0 ? 1.0 : value;
    };
    config.embeddingScale = factor("embedding_scale");
    config.residualScale = factor("residual_scale");
    if (const double scale = keys.number("attention.scale", 0.0); scale != 0.0)
        config.attentionScale = scale;
    const double divisor = keys.number("logit_scale");
    if (!(divisor > 0.0))
        keys.refuse("logit_scale", "Use a number above 0");
    config.headScale = 1.0 / divisor;
    return config;
}

} // namespace

const GgufFamily kGgufGranite{.architecture = "granite",
                              .modelType = "granite",
                              .readConfig = readGranite,
                              .names = kGgufDecoderNames};

} // namespace headscope
