#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bert_encoder.h"

namespace headscope {

namespace {

const PartNames kBertNames = bertEncoderNames({{"head.dense", "cls.predictions.transform.dense"},
                                               {"head.ln", "cls.predictions.transform.LayerNorm"},
                                               {"head", "cls.predictions.decoder"},
                                               {"pooler", "pooler.dense"},
                                               {"next_sentence", "cls.seq_relationship"}});

ModelConfig readBert(const ConfigReader& json)
{
    ModelConfig config = readBertEncoder(json);
    readHead(json, "cls.predictions.transform.dense.weight", config);
    config.nextSentence = json.hasTensor("cls.seq_relationship.weight");
    return config;
}

void describeBert(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "head" && context.name.kind == "bias")
        weight.names.insert(weight.names.begin(), "cls.predictions.bias");
}

bool isRedundantInBert(const ModelConfig& config, std::string_view name)
{
    return (!config.nextSentence && name.starts_with("pooler.")) ||
           name == "cls.predictions.decoder.bias";
}

} // namespace

const HuggingFaceFamily kBertFamily{.modelType = "bert",
                                    .prefix = "bert.",
                                    .readConfig = readBert,
                                    .names = kBertNames,
                                    .describe = describeBert,
                                    .isRedundant = isRedundantInBert};

} // namespace headscope
