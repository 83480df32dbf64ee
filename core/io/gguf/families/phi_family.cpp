#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"
#include "core/io/hugging_face/fused_weights.h"
#include "core/tensor/block_format.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

const PartNames kPhi2Names =
    ggufDecoderNames({{"fc1", "blk.{}.ffn_up"}, {"fc2", "blk.{}.ffn_down"}});

const PartNames kPhi3Names =
    ggufDecoderNames({{"attn.qkv", "blk.{}.attn_qkv"}, {"gate", "blk.{}.ffn_up"}});

ModelConfig readPhi2(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {.norm = Norm::Layer});
    config.activation = Activation::GeluTanh;
    config.residual = Residual::Parallel;
    config.sharedNorm = true;
    config.headBias = keys.file().find("output.bias") != nullptr;
    return config;
}

/// Queries, keys and values are one matrix in older files. Every bias must exist.
void describePhi2(const WeightContext& context, StoredWeight& weight)
{
    weight.optional = false;
    const std::string fused = withNumbers("blk.{}.attn_qkv.", context.name) + context.name.kind;
    if (context.name.queryKeyValue() < 0 || !context.tensors.contains(fused))
        return;
    weight.names = {fused};
    describeJoinedHeads(context, weight);
}

/// Divisors of the frequency of every pair, which LongRoPE has for short and for long texts.
std::vector<double> readFactors(const GgufFile& file, const char* name, std::int64_t pairs)
{
    const GgufTensor* const tensor = file.find(name);
    if (tensor == nullptr || tensor->type->name != "F32" ||
        tensor->shape != std::vector<std::int64_t>{pairs})
        throw FormatError(fmt::format("the tensor \"{}\" is not {} numbers of F32", name, pairs),
                          file.path(),
                          tensor == nullptr ? std::nullopt : std::optional(tensor->infoOffset),
                          "LongRoPE has a factor for every pair of rotated channels");
    std::vector<float> values(static_cast<std::size_t>(pairs));
    unpack(BlockFormat::F32, tensor->bytes, values);
    return {values.begin(), values.end()};
}

void readLongRope(const GgufKeys& keys, ModelConfig& config)
{
    const GgufFile& file = keys.file();
    if (file.find("rope_factors_long.weight") == nullptr)
        return;
    const std::int64_t pairs = config.ropeDimensions() / 2;
    RopeSettings& rope = config.rope;
    rope.scaling = RopeSettings::Scaling::LongRope;
    rope.shortFactors = readFactors(file, "rope_factors_short.weight", pairs);
    rope.longFactors = readFactors(file, "rope_factors_long.weight", pairs);
    rope.originalMaxLen = keys.integer("rope.scaling.original_context_length");
    if (rope.originalMaxLen < 1)
        keys.refuse("rope.scaling.original_context_length", "Use a positive number");
    rope.factor = std::max(1.0, static_cast<double>(config.maxLen) /
                                    static_cast<double>(rope.originalMaxLen));
    rope.attentionFactor = keys.number("rope.scaling.attn_factor", 0.0);
}

ModelConfig readPhi3(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {.windows = GgufWindows::AllLayers});
    readLongRope(keys, config);
    return config;
}

void describePhi3(const WeightContext& context, StoredWeight& weight)
{
    describeJoinedHeads(context, weight);
    describeJoinedGate(context, weight);
}

} // namespace

const GgufFamily kGgufPhi2{.architecture = "phi2",
                           .modelType = "phi",
                           .readConfig = readPhi2,
                           .names = kPhi2Names,
                           .describe = describePhi2};

const GgufFamily kGgufPhi3{.architecture = "phi3",
                           .modelType = "phi3",
                           .readConfig = readPhi3,
                           .names = kPhi3Names,
                           .describe = describePhi3};

} // namespace headscope
