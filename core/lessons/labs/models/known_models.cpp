#include "core/lessons/labs/models/known_models.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/presets.h"

#include <cmath>
#include <vector>

namespace headscope {

namespace {

/// Devlin et al. 2019, base: 12 layers of width 768, 30,522 tokens, 512 positions.
ModelConfig bertBase()
{
    ModelConfig c = presetConfig("bert-toy");
    c.vocabularySize = 30522;
    c.dModel = 768;
    c.heads = 12;
    c.layers = 12;
    c.dFf = 3072;
    c.maxLen = 512;
    return c;
}

/// Raffel et al. 2020, base, version 1.0.
ModelConfig t5Base()
{
    ModelConfig c = presetConfig("t5-toy");
    c.vocabularySize = 32128;
    c.dModel = 768;
    c.heads = 12;
    c.layers = 12;
    c.dFf = 3072;
    c.maxLen = 512;
    c.headScale = 1.0 / std::sqrt(768.0);
    return c;
}

/// Chowdhery et al. 2022, table 1 and section 2: multi-query attention, SwiGLU, no biases, blocks
/// in parallel, one embedding matrix of 256,000 tokens.
ModelConfig palm()
{
    ModelConfig c;
    c.vocabularySize = 256000;
    c.dModel = 18432;
    c.heads = 48;
    c.keyHeads = 1;
    c.headDimension = 256;
    c.layers = 118;
    c.dFf = 4 * 18432;
    c.maxLen = 2048;
    c.positions = Positions::Rope;
    c.activation = Activation::SwiGlu;
    c.bias = false;
    c.residual = Residual::Parallel;
    return c;
}

/// BigScience 2022, table 3: ALiBi, a norm after the embeddings.
ModelConfig bloom()
{
    ModelConfig c;
    c.vocabularySize = 250880;
    c.dModel = 14336;
    c.heads = 112;
    c.layers = 70;
    c.dFf = 4 * 14336;
    c.maxLen = 2048;
    c.positions = Positions::Alibi;
    c.activation = Activation::GeluTanh;
    c.embeddingNorm = true;
    return c;
}

/// Touvron et al. 2023, "Llama 2", 7B.
ModelConfig llama2()
{
    ModelConfig c = presetConfig("llama3-8b");
    c.vocabularySize = 32000;
    c.keyHeads = 0;
    c.dFf = 11008;
    c.maxLen = 4096;
    c.rope.theta = 10000.0;
    return c;
}

/// Jiang et al. 2023, table 1.
ModelConfig mistral()
{
    ModelConfig c = presetConfig("llama3-8b");
    c.vocabularySize = 32000;
    c.window = 4096;
    c.rope.theta = 10000.0;
    return c;
}

/// Jiang et al. 2024, table 1.
ModelConfig mixtral()
{
    ModelConfig c = mistral();
    c.window.reset();
    c.rope.theta = 1e6;
    c.maxLen = 32768;
    c.experts.count = 8;
    c.experts.topK = 2;
    return c;
}

/// Gemma Team 2024, table 1, 2B: multi-query attention, GeGLU.
ModelConfig gemma()
{
    ModelConfig c = presetConfig("llama3-8b");
    c.vocabularySize = 256000;
    c.dModel = 2048;
    c.heads = 8;
    c.keyHeads = 1;
    c.headDimension = 256;
    c.layers = 18;
    c.dFf = 16384;
    c.activation = Activation::GeGlu;
    c.tieEmbeddings = true;
    c.rope.theta = 10000.0;
    c.embeddingScale = std::sqrt(2048.0);
    return c;
}

/// DeepSeek-AI 2024, "DeepSeek-V2", section 3.1.2: 128 heads of 128 channels, a latent of 512 and
/// 64 rotary channels. Its shared experts and its first, dense layer are not part of this.
ModelConfig deepSeek()
{
    ModelConfig c = presetConfig("llama3-8b");
    c.vocabularySize = 102400;
    c.dModel = 5120;
    c.heads = 128;
    c.keyHeads = 0;
    c.layers = 60;
    c.dFf = 1536;
    c.maxLen = 131072;
    c.rope.theta = 10000.0;
    c.latent = {512, 1536, 64, 128, 128};
    c.experts.count = 160;
    c.experts.topK = 6;
    return c;
}

std::vector<KnownModel> makeModels()
{
    std::vector<KnownModel> models;
    // One by one: GCC 12 fails on the whole list with -O3.
    const auto add = [&models](const char* name, const char* source, const ModelConfig& config) {
        models.push_back({name, source, config});
    };
    add("Transformer base", "Vaswani et al. 2017", presetConfig("transformer-base"));
    add("BERT base", "Devlin et al. 2019", bertBase());
    add("GPT-2 small", "Radford et al. 2019", presetConfig("gpt2"));
    add("T5 base", "Raffel et al. 2020", t5Base());
    add("GPT-3", "Brown et al. 2020", presetConfig("gpt3"));
    add("PaLM 540B", "Chowdhery et al. 2022", palm());
    add("BLOOM", "BigScience 2022", bloom());
    add("Llama 2 7B", "Touvron et al. 2023", llama2());
    add("Mistral 7B", "Jiang et al. 2023", mistral());
    add("Mixtral 8x7B", "Jiang et al. 2024", mixtral());
    add("Gemma 2B", "Gemma Team 2024", gemma());
    models.push_back({"DeepSeek-V2", "DeepSeek-AI 2024", deepSeek()});
    add("Llama 3 8B", "Grattafiori et al. 2024", presetConfig("llama3-8b"));
    add("Llama 3 70B", "Grattafiori et al. 2024", presetConfig("llama3-70b"));
    return models;
}

} // namespace

std::span<const KnownModel> knownModels()
{
    static const std::vector<KnownModel> models = makeModels();
    return models;
}

const KnownModel& knownModel(const std::string& name)
{
    for (const KnownModel& model : knownModels())
        if (model.name == name)
            return model;
    throw Error("there is no such model", name,
                nearestNameAdvice(name, knownModels(), &KnownModel::name));
}

} // namespace headscope
