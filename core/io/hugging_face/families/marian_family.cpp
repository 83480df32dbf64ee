#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bart_stacks.h"

namespace headscope {

namespace {

const PartNames kMarianNames = bartStackNames();

ModelConfig readMarian(const ConfigReader& json)
{
    json.requireFlag("share_encoder_decoder_embeddings", true);
    ModelConfig config = readBartStacks(json);
    config.positions = Positions::Sinusoidal;
    config.sinusoidalHalves = true;
    config.normPosition = NormPosition::Post;
    return config;
}

bool isRedundantInMarian(const ModelConfig& config, std::string_view name)
{
    return name.ends_with("embed_positions.weight") || isRedundantInBartStacks(config, name);
}

} // namespace

const HuggingFaceFamily kMarianFamily{
    .modelType = "marian",
    .readConfig = readMarian,
    .names = kMarianNames,
    .describe = describeBartStack,
    .isRedundant = isRedundantInMarian,
    .typical = R"({"scale_embedding": true, "activation_function": "swish"})"};

} // namespace headscope
