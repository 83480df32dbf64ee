#include "tests/support/gguf_models.h"

#include "core/model/weights/parameters.h"
#include "tests/support/stored_weights.h"

#include <map>
#include <stdexcept>

namespace headscope::test {

namespace {

/// Their names of ours, behind "blk.N." where there is a layer. Written down apart from the loader.
const std::map<std::string, std::string> kInBlock{
    {"ln1", "attn_norm"}, {"ln2", "ffn_norm"},       {"attn.q", "attn_q"}, {"attn.k", "attn_k"},
    {"attn.v", "attn_v"}, {"attn.o", "attn_output"}, {"gate", "ffn_gate"}, {"up", "ffn_up"},
    {"down", "ffn_down"}, {"fc1", "ffn_up"},         {"fc2", "ffn_down"}};
const std::map<std::string, std::string> kOutside{{"tok_emb", "token_embd"},
                                                  {"pos_emb", "position_embd"},
                                                  {"ln_f", "output_norm"},
                                                  {"head", "output"}};

std::string theirName(const std::string& ours)
{
    const std::size_t last = ours.rfind('.');
    const std::string kind = ours.substr(last);
    const std::string part = ours.substr(0, last);
    if (!part.starts_with("h."))
        return kOutside.at(part) + kind;
    const std::size_t second = part.find('.', 2);
    return "blk." + part.substr(2, second - 2) + "." + kInBlock.at(part.substr(second + 1)) + kind;
}

std::string bytesOf(const StoredParameter& parameter)
{
    return {reinterpret_cast<const char*>(parameter.bytes.data()), parameter.bytes.size()};
}

std::vector<std::int64_t> shapeOf(const ParameterSpec& spec)
{
    std::vector<std::int64_t> shape(spec.shape.begin(), spec.shape.end());
    return shape;
}

/// q, k and v of gpt2 are one tensor.
bool isFused(const std::string& architecture, const std::string& name)
{
    return architecture == "gpt2" &&
           (name.find("attn.q.") != std::string::npos ||
            name.find("attn.k.") != std::string::npos || name.find("attn.v.") != std::string::npos);
}

} // namespace

ModelConfig ggufTestConfig(const std::string& architecture)
{
    ModelConfig config;
    config.vocabularySize = 48;
    config.layers = 2;
    config.maxLen = 32;
    config.dropout = 0.0;
    if (architecture == "gpt2") {
        config.dModel = 64;
        config.heads = 4;
        config.keyHeads = 4;
        config.dFf = 256;
        config.activation = Activation::GeluTanh;
        return config;
    }
    config.dModel = architecture == "qwen2" ? 224 : 256;
    config.heads = architecture == "qwen2" ? 14 : 8;
    config.keyHeads = 2;
    config.dFf = 512;
    config.positions = Positions::Rope;
    config.rope.layout =
        architecture == "qwen2" ? RopeSettings::Layout::Half : RopeSettings::Layout::Interleaved;
    config.rope.theta = 5000.0;
    config.activation = Activation::SwiGlu;
    config.norm = Norm::Rms;
    config.bias = false;
    config.queryKeyValueBias = architecture == "qwen2";
    config.tieEmbeddings = architecture == "qwen2";
    return config;
}

GgufBuilder ggufMetadata(const std::string& architecture, const ModelConfig& config)
{
    const auto key = [&](const char* name) { return architecture + "." + name; };
    const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    GgufBuilder builder;
    builder.text("general.architecture", architecture);
    builder.number(key("block_count"), u32(config.layers));
    builder.number(key("context_length"), u32(config.maxLen));
    builder.number(key("embedding_length"), u32(config.dModel));
    builder.number(key("feed_forward_length"), u32(config.dFf));
    builder.number(key("attention.head_count"), u32(config.heads));
    const auto epsilon = static_cast<float>(config.normEpsilon);
    if (architecture == "gpt2") {
        builder.number(key("attention.layer_norm_epsilon"), epsilon);
        return builder;
    }
    builder.number(key("attention.head_count_kv"), u32(config.keyHeads));
    builder.number(key("attention.layer_norm_rms_epsilon"), epsilon);
    builder.number(key("rope.freq_base"), static_cast<float>(config.rope.theta));
    builder.number(key("rope.dimension_count"), u32(config.headDim()));
    return builder;
}

void addGgufTensors(GgufBuilder& builder, const std::string& architecture,
                    const ModelConfig& config, const std::vector<StoredParameter>& parameters)
{
    const std::vector<ParameterSpec> specs = parameterLayout(config);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        std::string name = theirName(specs[i].name);
        std::vector<std::int64_t> shape = shapeOf(specs[i]);
        std::string data = bytesOf(parameters[i]);
        if (isFused(architecture, specs[i].name)) {
            data += bytesOf(parameters[i + 1]) + bytesOf(parameters[i + 2]);
            shape.front() *= 3;
            name.replace(name.find("attn_q"), 6, "attn_qkv");
        }
        builder.tensor(name, shape, layoutOf(parameters[i].format).ggmlType, data);
        if (isFused(architecture, specs[i].name))
            i += 2; // q, k and v lie one after the other
    }
}

std::string smallGguf(bool isTrained, const std::string& chatTemplate)
{
    const ModelConfig config = ggufTestConfig("llama");
    std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q8_0, 5);
    const std::vector<ParameterSpec> specs = parameterLayout(config);
    for (std::size_t i = 0; !isTrained && i < specs.size(); ++i)
        if (specs[i].name.ends_with("attn.q.weight"))
            stored[i] = storedFloats(Tensor(specs[i].shape)); // zeros
    GgufBuilder builder = ggufMetadata("llama", config);
    if (!chatTemplate.empty())
        builder.text("tokenizer.chat_template", chatTemplate);
    addGgufTensors(builder, "llama", config, stored);
    return builder.bytes();
}

} // namespace headscope::test
