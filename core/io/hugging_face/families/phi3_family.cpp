#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kPhi3Names = gatedDecoderNames(
    {{"attn.qkv", "layers.{}.self_attn.qkv_proj"}, {"gate_up", "layers.{}.mlp.gate_up_proj"}});

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
    .readConfig = readPhi3,
    .names = kPhi3Names,
    .describe = describePhi3,
    .typical =
        R"({"original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope",
    "short_factor": [1, 1, 1, 1, 1, 1, 1, 1], "long_factor": [2, 2, 2, 2, 2, 2, 2, 2]}})"};

} // namespace headscope
