#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

/// Size of Baichuan 2's vocabulary. It divides each row of its unembedding by its length.
constexpr std::int64_t kBaichuan2Vocabulary = 125696;

const PartNames kBaichuanNames = gatedDecoderNames({{"attn.qkv", "layers.{}.self_attn.W_pack"}});

/// Llama with a fused matrix. 13B, which has ALiBi, names no number of positions.
ModelConfig readBaichuan(const ConfigReader& json)
{
    if (!json.has("max_position_embeddings"))
        json.refuse("max_position_embeddings", "Only Baichuan 7B is supported");
    if (json.integer("vocab_size") == kBaichuan2Vocabulary)
        json.refuse("vocab_size", "Baichuan 2 normalises its unembedding, which is not supported");
    return readGatedDecoder(json);
}

} // namespace

const HuggingFaceFamily kBaichuanFamily{.modelType = "baichuan",
                                        .readConfig = readBaichuan,
                                        .names = kBaichuanNames,
                                        .describe = describeJoinedHeads,
                                        .typical = R"({"num_key_value_heads": 8})"};

} // namespace headscope
