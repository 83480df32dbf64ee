#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kPhi3Names = gatedDecoderNames({{"attn.q", "layers.{}.self_attn.qkv_proj"},
                                                {"attn.k", "layers.{}.self_attn.qkv_proj"},
                                                {"attn.v", "layers.{}.self_attn.qkv_proj"},
                                                {"gate", "layers.{}.mlp.gate_up_proj"},
                                                {"up", "layers.{}.mlp.gate_up_proj"}});

ModelConfig readPhi3(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.epsilon = 1e-5});
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    config.dropout = json.number("resid_pdrop", 0.0);
    config.embeddingDropout = json.number("embd_pdrop", 0.0);
    return config;
}

void describePhi3(const WeightContext& context, StoredWeight& weight)
{
    describeJoinedHeads(context, weight);
    describeJoinedGate(context, weight);
}

} // namespace

const HuggingFaceFamily kPhi3Family{
    .modelType = "phi3",
    .prefix = "model.",
    .readConfig = readPhi3,
    .names = kPhi3Names,
    .describe = describePhi3,
    .typical =
        R"({"original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope",
    "short_factor": [1, 1, 1, 1, 1, 1, 1, 1], "long_factor": [2, 2, 2, 2, 2, 2, 2, 2]}})"};

} // namespace headscope
