#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bert_encoder.h"
#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

/// Positions are counted from the row after the padding token's.
constexpr std::int64_t kRobertaPadding = 1;

const PartNames kRobertaNames = bertEncoderNames({{"head.dense", "lm_head.dense"},
                                                  {"head.ln", "lm_head.layer_norm"},
                                                  {"head", "lm_head.decoder"}});

ModelConfig readRoberta(const ConfigReader& json)
{
    if (json.integer("pad_token_id", kRobertaPadding) != kRobertaPadding)
        json.refuse("pad_token_id", fmt::format("Only {} is supported", kRobertaPadding));
    ModelConfig config = readBertEncoder(json);
    config.maxLen -= kRobertaPadding + 1;
    readExactHead(json, "lm_head.dense.weight", config);
    return config;
}

void describeRoberta(const WeightContext& context, StoredWeight& weight)
{
    skipPositions(context, kRobertaPadding + 1, weight);
    if (context.name.part == "head" && context.name.kind == "bias")
        weight.names.insert(weight.names.begin(), "lm_head.bias");
}

bool isRedundantInRoberta(const ModelConfig&, std::string_view name)
{
    return name.starts_with("pooler.") || name == "lm_head.decoder.bias";
}

constexpr HuggingFaceFamily robertaFamily(std::string_view modelType)
{
    return {.modelType = modelType,
            .prefix = "roberta.",
            .readConfig = readRoberta,
            .names = kRobertaNames,
            .describe = describeRoberta,
            .isRedundant = isRedundantInRoberta};
}

} // namespace

const HuggingFaceFamily kRobertaFamily = robertaFamily("roberta");
const HuggingFaceFamily kXlmRobertaFamily = robertaFamily("xlm-roberta");
const HuggingFaceFamily kCamembertFamily = robertaFamily("camembert");

} // namespace headscope
