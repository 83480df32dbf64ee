#include "core/io/hugging_face/rope_reader.h"

#include <algorithm>

namespace headscope {

namespace {

using Scaling = RopeSettings::Scaling;

const std::map<std::string, Scaling> kRopeTypes{
    {"default", Scaling::None}, {"linear", Scaling::Linear}, {"dynamic", Scaling::Dynamic},
    {"yarn", Scaling::Yarn},    {"llama3", Scaling::Llama3}, {"longrope", Scaling::LongRope},
    {"su", Scaling::LongRope}};

/// Factors of every pair; the context is as many times longer as the lengths say, unless "factor"
/// does.
void readLongRope(const ConfigReader& json, const ModelConfig& config, std::int64_t pairs,
                  RopeSettings& rope)
{
    rope.shortFactors = json.numbers("short_factor", pairs);
    rope.longFactors = json.numbers("long_factor", pairs);
    const auto original = static_cast<double>(rope.originalMaxLen);
    const double stretch = original > 0.0 ? static_cast<double>(config.maxLen) / original : 1.0;
    rope.factor = std::max(1.0, json.number("factor", stretch));
}

void readScaling(const ConfigReader& json, const ModelConfig& config, std::int64_t pairs,
                 RopeSettings& rope)
{
    rope.scaling = json.choice(json.has("rope_type") ? "rope_type" : "type", "default", kRopeTypes);
    if (rope.scaling == Scaling::None)
        return;
    for (const char* key : {"mscale", "mscale_all_dim"})
        if (json.has(key))
            json.refuse(key, "Only models without it are supported");
    rope.truncates = json.flag("truncate", true);
    rope.originalMaxLen = json.integer("original_max_position_embeddings", rope.originalMaxLen);
    rope.attentionFactor = json.number("attention_factor", 0.0);
    if (rope.scaling == Scaling::LongRope)
        return readLongRope(json, config, pairs, rope);
    rope.factor = json.number("factor");
    rope.lowFrequencyFactor = json.number("low_freq_factor", rope.lowFrequencyFactor);
    rope.highFrequencyFactor = json.number("high_freq_factor", rope.highFrequencyFactor);
    rope.betaFast = json.number("beta_fast", rope.betaFast);
    rope.betaSlow = json.number("beta_slow", rope.betaSlow);
}

} // namespace

void readRope(const ConfigReader& json, ModelConfig& config, double theta, double fraction,
              const char* oldTheta, const char* oldFraction)
{
    config.positions = Positions::Rope;
    config.rope.layout = RopeSettings::Layout::Half;
    config.rope.theta = json.number(oldTheta, theta);
    fraction = json.number(oldFraction, fraction);
    const bool isNew = json.has("rope_parameters");
    // Of both, transformers 5 takes the scaling of the old key.
    const char* const key = json.has("rope_scaling") ? "rope_scaling" : "rope_parameters";
    if (isNew) {
        const ConfigReader rope = json.object("rope_parameters");
        config.rope.theta = rope.number("rope_theta", config.rope.theta);
        fraction = rope.number("partial_rotary_factor", fraction);
    }
    if (!(fraction > 0.0 && fraction <= 1.0))
        json.refuse(isNew ? "rope_parameters" : oldFraction,
                    "The rotated fraction of a head is above 0 and at most 1");
    const std::int64_t width = config.heads > 0 ? config.headDim() : 0;
    if (fraction != 1.0)
        config.rope.dimensions = static_cast<std::int64_t>(static_cast<double>(width) * fraction);
    const std::int64_t turning = fraction != 1.0 ? config.rope.dimensions : width;
    config.rope.originalMaxLen = 0;
    if (!json.has(key))
        return;
    RopeSettings scaled = config.rope;
    scaled.originalMaxLen = json.integer("original_max_position_embeddings", 0);
    readScaling(json.object(key), config, turning / 2, scaled);
    if (scaled.scaling != Scaling::None)
        config.rope = scaled;
}

RopeSettings readLayerRope(const ConfigReader& json, const ModelConfig& config, const char* kind,
                           const char* oldTheta, double theta, bool scaled)
{
    RopeSettings rope;
    rope.layout = RopeSettings::Layout::Half;
    rope.theta = json.number(oldTheta, theta);
    const std::int64_t pairs = config.heads > 0 ? config.headDim() / 2 : 0;
    if (json.has("rope_parameters") && json.object("rope_parameters").has(kind)) {
        const ConfigReader own = json.object("rope_parameters").object(kind);
        rope.theta = own.number("rope_theta", rope.theta);
        readScaling(own, config, pairs, rope);
    } else if (scaled && json.has("rope_scaling")) {
        readScaling(json.object("rope_scaling"), config, pairs, rope);
    }
    return rope;
}

} // namespace headscope
