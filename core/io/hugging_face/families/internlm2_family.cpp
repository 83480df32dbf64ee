#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kInternLm2Names{{"tok_emb", "tok_embeddings"},
                                {"ln1", "layers.{}.attention_norm"},
                                {"attn.qkv", "layers.{}.attention.wqkv"},
                                {"attn.o", "layers.{}.attention.wo"},
                                {"ln2", "layers.{}.ffn_norm"},
                                {"gate", "layers.{}.feed_forward.w1"},
                                {"up", "layers.{}.feed_forward.w3"},
                                {"down", "layers.{}.feed_forward.w2"},
                                {"ln_f", "norm"},
                                {"head", "output"}};

/// Llama with a fused matrix of queries, keys and values.
ModelConfig readInternLm2(const ConfigReader& json)
{
    json.requireFlag("bias", false);
    return readGatedDecoder(json, {.epsilon = 1e-5});
}

} // namespace

const HuggingFaceFamily kInternLm2Family{
    .modelType = "internlm2",
    .readConfig = readInternLm2,
    .names = kInternLm2Names,
    .describe = describeHeadGroups,
    .typical = R"({"rope_scaling": {"type": "dynamic", "factor": 2.0}})"};

} // namespace headscope
