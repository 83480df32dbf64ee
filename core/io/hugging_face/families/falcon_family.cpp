#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

namespace {

const PartNames kFalconNames{{"tok_emb", "word_embeddings"},
                             {"ln1", "h.{}.input_layernorm"},
                             {"attn.qkv", "h.{}.self_attention.query_key_value"},
                             {"attn.o", "h.{}.self_attention.dense"},
                             {"ln2", "h.{}.post_attention_layernorm"},
                             {"fc1", "h.{}.mlp.dense_h_to_4h"},
                             {"fc2", "h.{}.mlp.dense_4h_to_h"},
                             {"ln_f", "ln_f"},
                             {"head", "lm_head"}};

/// Blocks of the three Falcon architectures: 40B (new), 7B (parallel) and sequential ones.
void readBlocks(const ConfigReader& json, ModelConfig& config)
{
    const bool isNew = json.flag("new_decoder_architecture", false);
    const bool parallel = json.flag("parallel_attn", true);
    if (isNew && !parallel)
        json.refuse("parallel_attn", "Only true is supported with new_decoder_architecture");
    const std::int64_t norms = json.integer("num_ln_in_parallel_attn", isNew ? 2 : 1);
    if (parallel && norms != 1 && !(isNew && norms == 2))
        json.refuse("num_ln_in_parallel_attn", "Supported: 1, and 2 with new_decoder_architecture");
    config.residual = parallel ? Residual::Parallel : Residual::Sequential;
    config.sharedNorm = parallel && norms == 1;
    if (isNew)
        config.keyHeads = json.integer("num_kv_heads", config.heads);
    else if (json.flag("multi_query", true))
        config.keyHeads = 1;
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
}

ModelConfig readFalcon(const ConfigReader& json)
{
    ModelConfig config;
    config.dModel = json.integer(json.has("n_embed") ? "n_embed" : "hidden_size");
    config.heads = json.integer(json.has("num_attention_heads") ? "num_attention_heads" : "n_head");
    config.layers = json.integer(json.has("num_hidden_layers") ? "num_hidden_layers" : "n_layer");
    config.dFf = json.integer("ffn_hidden_size", 4 * config.dModel);
    config.maxLen = json.integer("max_position_embeddings", 2048);
    config.activation = json.choice("activation", "gelu", plainActivations());
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.bias = json.flag("bias", false);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("hidden_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    readBlocks(json, config);
    if (json.flag("alibi", false)) {
        config.positions = Positions::Alibi;
        config.alibiScaled = true;
    } else {
        readRope(json, config);
    }
    return config;
}

void describeFalcon(const WeightContext& context, StoredWeight& weight)
{
    describeHeadGroups(context, weight);
    const ParameterName& name = context.name;
    if (!context.config.isParallel() || context.config.sharedNorm)
        return;
    if (name.part == "ln1" || name.part == "ln2")
        weight.names = {withNumbers(name.part == "ln1" ? "h.{}.ln_attn." : "h.{}.ln_mlp.", name) +
                        name.kind};
}

} // namespace

const HuggingFaceFamily kFalconFamily{.modelType = "falcon",
                                      .prefix = "transformer.",
                                      .readConfig = readFalcon,
                                      .names = kFalconNames,
                                      .describe = describeFalcon};

} // namespace headscope
