#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bert_encoder.h"

namespace headscope {

namespace {

const PartNames kElectraNames = bertEncoderNames({{"head.dense", "generator_predictions.dense"},
                                                  {"head.ln", "generator_predictions.LayerNorm"},
                                                  {"head", "generator_lm_head"},
                                                  {"emb_proj", "embeddings_project"}});

ModelConfig readElectra(const ConfigReader& json)
{
    ModelConfig config = readBertEncoder(json);
    if (const std::int64_t width = json.integer("embedding_size", 128); width != config.dModel)
        config.embeddingWidth = width;
    readExactHead(json, "generator_predictions.dense.weight", config);
    return config;
}

bool isRedundantInElectra(const ModelConfig&, std::string_view name)
{
    return name.starts_with("discriminator_predictions.");
}

} // namespace

const HuggingFaceFamily kElectraFamily{.modelType = "electra",
                                       .prefix = "electra.",
                                       .readConfig = readElectra,
                                       .names = kElectraNames,
                                       .isRedundant = isRedundantInElectra,
                                       .typical = R"({"embedding_size": 64, "hidden_size": 128})"};

} // namespace headscope
