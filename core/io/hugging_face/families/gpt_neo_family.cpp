#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

const PartNames kGptNeoNames{{"tok_emb", "wte"},
                             {"pos_emb", "wpe"},
                             {"ln1", "h.{}.ln_1"},
                             {"attn.q", "h.{}.attn.attention.q_proj"},
                             {"attn.k", "h.{}.attn.attention.k_proj"},
                             {"attn.v", "h.{}.attn.attention.v_proj"},
                             {"attn.o", "h.{}.attn.attention.out_proj"},
                             {"ln2", "h.{}.ln_2"},
                             {"fc1", "h.{}.mlp.c_fc"},
                             {"fc2", "h.{}.mlp.c_proj"},
                             {"ln_f", "ln_f"},
                             {"head", "lm_head"}};

/// True for each local layer: "attention_types" is the rule, "attention_layers" a copy of it.
std::vector<bool> localLayersOf(const ConfigReader& json, const ModelConfig& config)
{
    const std::size_t count = layersOf(config).size(); // 0 for a number that no model may have
    std::vector<bool> local;
    if (!json.has("attention_types")) {
        for (std::size_t layer = 0; layer < count; ++layer)
            local.push_back(layer % 2 == 1);
        return local;
    }
    for (const std::string& type :
         json.repeatedTexts("attention_types", static_cast<std::int64_t>(count))) {
        if (type != "global" && type != "local")
            json.refuse("attention_types", "Supported: \"global\", \"local\"");
        local.push_back(type == "local");
    }
    return local;
}

/// Scores are not scaled; queries, keys and values have no biases.
ModelConfig readGptNeo(const ConfigReader& json)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_heads");
    config.layers = json.integer("num_layers");
    config.dFf = json.integer("intermediate_size", 4 * config.dModel);
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("activation_function", "gelu_new", plainActivations());
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.scaleScores = false;
    config.queryKeyValueBias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("resid_dropout", 0.0);
    config.embeddingDropout = json.number("embed_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    setWindows(config, localLayersOf(json, config), json.integer("window_size", 256));
    return config;
}

} // namespace

const HuggingFaceFamily kGptNeoFamily{.modelType = "gpt_neo",
                                      .prefix = "transformer.",
                                      .readConfig = readGptNeo,
                                      .names = kGptNeoNames};

} // namespace headscope
