#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

const PartNames kNames{{"tok_emb", "token_embd"},        {"pos_emb", "position_embd"},
                       {"ln1", "blk.{}.attn_norm"},      {"attn.qkv", "blk.{}.attn_qkv"},
                       {"attn.o", "blk.{}.attn_output"}, {"ln2", "blk.{}.ffn_norm"},
                       {"fc1", "blk.{}.ffn_up"},         {"fc2", "blk.{}.ffn_down"},
                       {"ln_f", "output_norm"},          {"head", "output"}};

ModelConfig readGpt2(const GgufKeys& keys)
{
    ModelConfig config;
    readGgufExtents(keys, config);
    config.positions = Positions::Learned;
    config.activation = Activation::GeluTanh;
    config.norm = Norm::Layer;
    config.normEpsilon = keys.number("attention.layer_norm_epsilon");
    return config;
}

/// Queries, keys and values are one matrix; every bias must exist.
void describeGpt2(const WeightContext& context, StoredWeight& weight)
{
    const ParameterName& name = context.name;
    weight.optional = false;
    if (name.queryKeyValue() < 0)
        return;
    weight.part = name.queryKeyValue();
    weight.parts = 3;
}

} // namespace

const GgufFamily kGgufGpt2{.architecture = "gpt2",
                           .modelType = "gpt2",
                           .readConfig = readGpt2,
                           .names = kNames,
                           .describe = describeGpt2};

} // namespace headscope
