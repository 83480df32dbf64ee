#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kGemma2Window = 4096;
constexpr double kGemma2ScoreCap = 50.0;
constexpr double kGemma2LogitCap = 30.0;
constexpr std::int64_t kGemma2Period = 2;
constexpr std::int64_t kGemma3Period = 6;
constexpr double kGemma3LocalBase = 10000.0;
/// The 27B models scale scores by d_model / heads instead of d_k; no key says so.
constexpr std::int64_t kGemma2LargestLayers = 46;
constexpr std::int64_t kGemma3LargestLayers = 62;

/// Four norms a block.
const PartNames kGemma2Names = ggufDecoderNames(
    {{"ln1_out", "blk.{}.post_attention_norm"}, {"ln2_out", "blk.{}.post_ffw_norm"}});

/// Norms are stored with the 1 that the model adds to its weights, so they are plain RMS norms.
ModelConfig readGemmaBase(const GgufKeys& keys, GgufWindows windows)
{
    ModelConfig config = readGgufDecoder(keys, {.windows = windows});
    config.activation = Activation::GeGlu;
    config.embeddingScale = std::sqrt(static_cast<double>(config.dModel));
    return config;
}

ModelConfig readGemma(const GgufKeys& keys)
{
    return readGemmaBase(keys, GgufWindows::None);
}

/// What Gemma 2 and 3 share.
ModelConfig readFourNorms(const GgufKeys& keys, std::int64_t largestLayers)
{
    ModelConfig config = readGemmaBase(keys, GgufWindows::SomeLayers);
    config.normPosition = NormPosition::Both;
    if (config.layers == largestLayers)
        config.attentionScale = 1.0 / std::sqrt(static_cast<double>(config.dModel / config.heads));
    return config;
}

ModelConfig readGemma2(const GgufKeys& keys)
{
    ModelConfig config = readFourNorms(keys, kGemma2LargestLayers);
    config.softCap = keys.number("attn_logit_softcapping", kGemma2ScoreCap);
    config.logitCap = keys.number("final_logit_softcapping", kGemma2LogitCap);
    setWindows(config, ggufLocalLayers(keys, config, kGemma2Period),
               keys.integer("attention.sliding_window", kGemma2Window));
    return config;
}

/// Scaled rotations are those of global layers alone; without windows all layers are global.
ModelConfig readGemma3(const GgufKeys& keys)
{
    ModelConfig config = readFourNorms(keys, kGemma3LargestLayers);
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    config.logitCap = keys.number("final_logit_softcapping", 0.0);
    const std::int64_t window = keys.integer("attention.sliding_window", 0);
    if (window == 0)
        return config;
    RopeSettings localRope;
    localRope.layout = config.rope.layout;
    localRope.dimensions = config.rope.dimensions;
    localRope.theta = keys.number("rope.freq_base_swa", kGemma3LocalBase);
    const std::vector<bool> local = ggufLocalLayers(keys, config, kGemma3Period);
    setWindows(config, local, window, localRope);
    return config;
}

} // namespace

const GgufFamily kGgufGemma{.architecture = "gemma",
                            .modelType = "gemma",
                            .readConfig = readGemma,
                            .names = kGgufDecoderNames};

const GgufFamily kGgufGemma2{.architecture = "gemma2",
                             .modelType = "gemma2",
                             .readConfig = readGemma2,
                             .names = kGemma2Names};

const GgufFamily kGgufGemma3{.architecture = "gemma3",
                             .modelType = "gemma3_text",
                             .readConfig = readGemma3,
                             .names = kGemma2Names};

} // namespace headscope
