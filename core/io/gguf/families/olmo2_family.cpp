#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

/// Norms of what a sublayer adds, and none of its input.
const PartNames kNames =
    ggufDecoderNames({{"ln1", "blk.{}.post_attention_norm"}, {"ln2", "blk.{}.post_ffw_norm"}});

/// Files of OLMo 3 have windows, and are refused.
ModelConfig readOlmo2(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {});
    config.normPosition = NormPosition::Output;
    config.queryKeyNorm = QueryKeyNorm::Whole;
    return config;
}

} // namespace

const GgufFamily kGgufOlmo2{
    .architecture = "olmo2", .modelType = "olmo2", .readConfig = readOlmo2, .names = kNames};

} // namespace headscope
