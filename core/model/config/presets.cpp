#include "core/model/config/presets.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <cmath>
#include <utility>

namespace headscope {

namespace {

/// A minimal GPT: every block of the original, at a size that trains on a laptop.
ModelConfig miniGpt()
{
    return {}; // the defaults of ModelConfig are this model
}

/// Vaswani et al. 2017, table 3, "base": one vocabulary of 37000 tokens, and one matrix for source,
/// target and output (section 3.4); 101.0 M parameters instead of 63.1 M with "tie_embeddings"
/// false.
ModelConfig transformerBase()
{
    ModelConfig c;
    c.architecture = Architecture::EncoderDecoder;
    c.vocabularySize = 37000;
    c.dModel = 512;
    c.heads = 8;
    c.layers = 6;
    c.dFf = 2048;
    c.positions = Positions::Sinusoidal;
    c.activation = Activation::Relu;
    c.normPosition = NormPosition::Post;
    c.headBias = true;
    c.dropout = 0.1;
    c.attentionDropout = 0.0;
    c.embeddingScale = std::sqrt(512.0);
    c.initialisation = Initialisation::FanIn;
    return c;
}

ModelConfig toy(std::int64_t layers)
{
    ModelConfig c;
    c.dModel = 128;
    c.heads = 4;
    c.layers = layers;
    c.dFf = 512;
    c.maxLen = 128;
    return c;
}

/// Devlin et al. 2019.
ModelConfig bertToy()
{
    ModelConfig c = toy(2);
    c.architecture = Architecture::Encoder;
    c.normPosition = NormPosition::Post;
    c.normEpsilon = 1e-12;
    c.embeddingNorm = true;
    c.headTransform = true;
    c.headBias = true;
    c.nextSentence = true;
    c.tokenTypes = 2;
    c.dropout = 0.1;
    return c;
}

/// Radford et al. 2019.
ModelConfig gpt2Toy()
{
    ModelConfig c = toy(4);
    c.activation = Activation::GeluTanh;
    c.dropout = 0.1;
    return c;
}

/// Settings shared by all Llamas (Touvron et al. 2023, Grattafiori et al. 2024).
ModelConfig asLlama(ModelConfig c)
{
    c.positions = Positions::Rope;
    c.activation = Activation::SwiGlu;
    c.norm = Norm::Rms;
    c.bias = false;
    c.tieEmbeddings = false;
    return c;
}

ModelConfig llamaToy()
{
    ModelConfig c = asLlama(toy(4));
    c.keyHeads = 2;
    c.dFf = 344; // 8/3 d_model, rounded up to a multiple of 8
    return c;
}

/// Raffel et al. 2020, the first version.
ModelConfig t5Toy()
{
    ModelConfig c = toy(2);
    c.architecture = Architecture::EncoderDecoder;
    c.positions = Positions::RelativeBuckets;
    c.activation = Activation::Relu;
    c.norm = Norm::Rms;
    c.normEpsilon = 1e-6;
    c.scaleScores = false;
    c.bias = false;
    c.headScale = 1.0 / std::sqrt(128.0);
    c.dropout = 0.1;
    return c;
}

ModelConfig asGpt(std::int64_t layers, std::int64_t heads, std::int64_t width, std::int64_t length)
{
    ModelConfig c = gpt2Toy();
    c.vocabularySize = 50257;
    c.layers = layers;
    c.heads = heads;
    c.dModel = width;
    c.dFf = 4 * width;
    c.maxLen = length;
    return c;
}

ModelConfig llama3(std::int64_t layers, std::int64_t heads, std::int64_t width, std::int64_t inner)
{
    ModelConfig c;
    c.vocabularySize = 128256;
    c.layers = layers;
    c.heads = heads;
    c.keyHeads = 8;
    c.dModel = width;
    c.dFf = inner;
    c.maxLen = 8192;
    c.rope.theta = 500000.0;
    return asLlama(c);
}

using Maker = ModelConfig (*)();

const std::vector<std::pair<std::string, Maker>> kPresets{
    {"minigpt", miniGpt},
    {"transformer-base", transformerBase},
    {"bert-toy", bertToy},
    {"gpt2-toy", gpt2Toy},
    {"llama-toy", llamaToy},
    {"t5-toy", t5Toy},
    {"gpt2", [] { return asGpt(12, 12, 768, 1024); }},
    {"gpt3", [] { return asGpt(96, 96, 12288, 2048); }},
    {"llama3-8b", [] { return llama3(32, 32, 4096, 14336); }},
    {"llama3-70b", [] { return llama3(80, 64, 8192, 28672); }},
};

} // namespace

ModelConfig presetConfig(const std::string& name)
{
    for (const auto& [known, make] : kPresets)
        if (known == name)
            return make();
    throw Error("no such preset: " + inQuotes(name), "model configuration",
                nearestNameAdvice(name, presetNames()));
}

std::vector<std::string> presetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, make] : kPresets)
        names.push_back(name);
    return names;
}

} // namespace headscope
