#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

/// Llama whose channels are rotated in neighbouring pairs.
ModelConfig readErnie45(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(
        json, {.keyHeads = 2, .headDim = 128, .theta = 500000.0, .epsilon = 1e-5, .tied = true});
    config.rope.layout = RopeSettings::Layout::Interleaved;
    config.bias = json.flag("use_bias", false);
    return config;
}

} // namespace

const HuggingFaceFamily kErnie45Family{
    .modelType = "ernie4_5", .readConfig = readErnie45, .names = kGatedDecoderNames};

} // namespace headscope
