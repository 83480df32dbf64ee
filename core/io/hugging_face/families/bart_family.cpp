#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bart_stacks.h"
#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

/// Rows of both position matrices before that of the first token.
constexpr std::int64_t kBartSkipped = 2;

const PartNames kBartNames = bartStackNames();

/// Norms after the residual, and one of the embeddings.
ModelConfig readBart(const ConfigReader& json)
{
    json.requireFlag("static_position_embeddings", false);
    ModelConfig config = readBartStacks(json);
    config.positions = Positions::Learned;
    config.normPosition = NormPosition::Post;
    config.embeddingNorm = true;
    return config;
}

/// BART with norms before sublayers, and one after each stack.
ModelConfig readMbart(const ConfigReader& json)
{
    ModelConfig config = readBart(json);
    config.normPosition = NormPosition::Pre;
    return config;
}

void describeBart(const WeightContext& context, StoredWeight& weight)
{
    describeBartStack(context, weight);
    skipPositions(context, kBartSkipped, weight);
    weight.optional = context.name.part == "head" && context.name.kind == "bias";
}

} // namespace

const HuggingFaceFamily kBartFamily{.modelType = "bart",
                                    .readConfig = readBart,
                                    .names = kBartNames,
                                    .describe = describeBart,
                                    .isRedundant = isRedundantInBartStacks};

const HuggingFaceFamily kMbartFamily{.modelType = "mbart",
                                     .readConfig = readMbart,
                                     .names = kBartNames,
                                     .describe = describeBart,
                                     .isRedundant = isRedundantInBartStacks,
                                     .typical = R"({"scale_embedding": true})"};

} // namespace headscope
