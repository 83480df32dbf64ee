#include "core/io/gguf/gguf_config.h"

#include "core/base/json_text.h"
#include "core/tensor/block_format.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

using Scaling = RopeSettings::Scaling;

/// Original context length of all models that came with rope_freqs (Llama 3.1 and later).
constexpr std::int64_t kLlama3OriginalMaxLen = 8192;
constexpr double kSameFactor = 1e-3;

/// Keys of one architecture: "llama.block_count".
class Keys
{
public:
    Keys(const GgufFile& file, std::string architecture)
        : m_file(file)
        , m_metadata(file.metadata())
        , m_architecture(std::move(architecture))
    {
    }

    std::string operator()(const char* name) const { return m_architecture + "." + name; }

    bool has(const char* name) const { return m_metadata.has((*this)(name)); }

    std::int64_t integer(const char* name, std::optional<std::int64_t> otherwise = {}) const
    {
        return m_metadata.integer((*this)(name), otherwise);
    }

    double number(const char* name, std::optional<double> otherwise = {}) const
    {
        return m_metadata.number((*this)(name), otherwise);
    }

    /// Reads a number, or a list with the same number for every layer.
    std::int64_t integerOfAllLayers(const char* name,
                                    std::optional<std::int64_t> otherwise = {}) const
    {
        const std::string key = (*this)(name);
        const GgufValue* const found = m_metadata.find(key);
        if (found == nullptr || found->type != GgufValueType::Array)
            return m_metadata.integer(key, otherwise);
        const std::vector<std::int64_t> values = m_metadata.integers(key);
        for (const std::int64_t value : values)
            if (value != values.front())
                refuse(name, "Only models with the same number in all layers are supported");
        if (values.empty())
            refuse(name, "A whole number was expected");
        return values.front();
    }

    /// Rejects a key whose value would change the arithmetic in an unsupported way.
    void requireNone(const char* name, const char* what) const
    {
        if (has(name) && number(name) != 0.0)
            refuse(name, fmt::format("Models with {} are not supported", what));
    }

    [[noreturn]] void refuse(const char* name, const std::string& advice) const
    {
        throw m_metadata.refusal((*this)(name), advice);
    }

    const GgufFile& file() const { return m_file; }

private:
    const GgufFile& m_file;
    const GgufMetadata& m_metadata;
    std::string m_architecture;
};

void readExtents(const Keys& keys, ModelConfig& config)
{
    config.layers = keys.integer("block_count");
    config.dModel = keys.integer("embedding_length");
    if (config.dModel < 1)
        keys.refuse("embedding_length", "A positive number was expected");
    config.dFf = keys.integerOfAllLayers("feed_forward_length");
    config.maxLen = keys.integer("context_length");
    config.heads = keys.integerOfAllLayers("attention.head_count");
    if (config.heads < 1)
        keys.refuse("attention.head_count", "At least one head was expected");
    config.keyHeads = keys.integerOfAllLayers("attention.head_count_kv", config.heads);
    if (config.keyHeads < 1 || config.keyHeads > config.heads)
        keys.refuse("attention.head_count_kv",
                    fmt::format("A number from 1 to {} was expected, at most the number of heads",
                                config.heads));
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
    config.headDimension = keys.integerOfAllLayers("attention.key_length", 0);
    if (keys.has("attention.value_length") &&
        keys.integerOfAllLayers("attention.value_length") != config.headDim())
        keys.refuse("attention.value_length",
                    fmt::format("Only {} is supported, as many as keys have", config.headDim()));
    const std::int64_t tensors = static_cast<std::int64_t>(keys.file().tensors().size());
    if (config.layers > tensors)
        keys.refuse("block_count", fmt::format("The file has {} tensors", tensors));
}

const std::map<std::string, Scaling> kScalings{
    {"none", Scaling::None}, {"linear", Scaling::Linear}, {"yarn", Scaling::Yarn}};

void readScaling(const Keys& keys, RopeSettings& rope)
{
    if (keys.has("rope.scale_linear")) { // older files
        rope.factor = keys.number("rope.scale_linear");
        rope.scaling = rope.factor == 1.0 ? Scaling::None : Scaling::Linear;
    }
    if (!keys.has("rope.scaling.type"))
        return;
    const auto found = kScalings.find(keys.file().metadata().text(keys("rope.scaling.type")));
    if (found == kScalings.end())
        keys.refuse("rope.scaling.type", "Supported: none, linear, yarn");
    rope.scaling = found->second;
    if (rope.scaling == Scaling::None)
        return;
    keys.requireNone("rope.scaling.yarn_log_multiplier", "a multiplier of yarn's logarithm");
    if (keys.number("rope.scaling.yarn_ext_factor", 1.0) != 1.0)
        keys.refuse("rope.scaling.yarn_ext_factor", "Only 1 is supported");
    rope.factor = keys.number("rope.scaling.factor");
    rope.originalMaxLen = keys.integer("rope.scaling.original_context_length", 0);
    rope.betaFast = keys.number("rope.scaling.yarn_beta_fast", rope.betaFast);
    rope.betaSlow = keys.number("rope.scaling.yarn_beta_slow", rope.betaSlow);
    if (keys.has("rope.scaling.attn_factor"))
        rope.attentionFactor =
            keys.number("rope.scaling.attn_factor") * (0.1 * std::log(rope.factor) + 1.0);
}

/// Llama 3.1's scaling is stored as the divisor of every frequency.
void readFrequencyFactors(const GgufFile& file, ModelConfig& config)
{
    const GgufTensor* const tensor = file.find("rope_freqs.weight");
    if (tensor == nullptr)
        return;
    const auto refuse = [&](const std::string& problem) {
        throw FormatError("the tensor \"rope_freqs.weight\" " + problem, file.path(),
                          tensor->infoOffset, "Supported: the scaling of Llama 3.1, 3.2 and 3.3");
    };
    const std::int64_t pairs = config.ropeDimensions() / 2;
    if (tensor->type->name != "F32" || tensor->shape != std::vector<std::int64_t>{pairs})
        refuse(fmt::format("is {} of {} numbers, but {} of F32 were expected", tensor->type->name,
                           tensor->elementCount(), pairs));
    std::vector<float> factors(static_cast<std::size_t>(pairs));
    unpack(BlockFormat::F32, tensor->bytes, factors);
    double largest = 1.0;
    for (const float factor : factors)
        largest = std::max(largest, static_cast<double>(factor));
    RopeSettings scaled = config.rope;
    scaled.scaling = Scaling::Llama3;
    scaled.factor = largest;
    scaled.originalMaxLen = kLlama3OriginalMaxLen;
    const auto plain = ropeInverseFrequencies(config.rope, 2 * pairs, 1);
    const auto expected = ropeInverseFrequencies(scaled, 2 * pairs, 1);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double factor = plain[i] / expected[i];
        if (!(std::abs(static_cast<double>(factors[i]) - factor) <= kSameFactor * factor))
            refuse(fmt::format("divides frequency {} by {}", i, factors[i]));
    }
    if (largest > 1.0)
        config.rope = scaled;
}

void readRope(const Keys& keys, RopeSettings::Layout layout, ModelConfig& config)
{
    config.positions = Positions::Rope;
    config.rope.layout = layout;
    config.rope.theta = keys.number("rope.freq_base", 10000.0);
    readScaling(keys, config.rope);
    if (!keys.has("rope.dimension_count"))
        return;
    const std::int64_t turning = keys.integer("rope.dimension_count");
    if (turning < 2 || turning % 2 != 0 || turning > config.headDim())
        keys.refuse("rope.dimension_count",
                    fmt::format("An even number up to {} was expected", config.headDim()));
    if (turning != config.headDim())
        config.rope.dimensions = turning;
}

/// Settings shared by the families after Llama.
ModelConfig readGatedDecoder(const Keys& keys, RopeSettings::Layout layout)
{
    keys.requireNone("expert_count", "experts");
    keys.requireNone("attention.scale", "a separate scale for the scores");
    keys.requireNone("logit_scale", "scaled logits");
    keys.requireNone("residual_scale", "scaled sublayers");
    keys.requireNone("embedding_scale", "scaled embeddings");
    ModelConfig config;
    readExtents(keys, config);
    config.activation = Activation::SwiGlu;
    config.norm = Norm::Rms;
    config.normEpsilon = keys.number("attention.layer_norm_rms_epsilon");
    readRope(keys, layout, config);
    if (const std::int64_t window = keys.integer("attention.sliding_window", 0); window > 0)
        config.window = window;
    const GgufFile& file = keys.file();
    config.bias =
        file.find("blk.0.attn_output.bias") != nullptr || file.find("blk.0.ffn_up.bias") != nullptr;
    config.queryKeyValueBias = file.find("blk.0.attn_q.bias") != nullptr;
    return config;
}

ModelConfig readLlama(const Keys& keys)
{
    ModelConfig config = readGatedDecoder(keys, RopeSettings::Layout::Interleaved);
    readFrequencyFactors(keys.file(), config);
    return config;
}

ModelConfig readQwen2(const Keys& keys)
{
    return readGatedDecoder(keys, RopeSettings::Layout::Half);
}

ModelConfig readGpt2(const Keys& keys)
{
    ModelConfig config;
    readExtents(keys, config);
    config.positions = Positions::Learned;
    config.activation = Activation::GeluTanh;
    config.norm = Norm::Layer;
    config.normEpsilon = keys.number("attention.layer_norm_epsilon");
    return config;
}

const std::map<std::string, ModelConfig (*)(const Keys&)> kReaders{
    {"gpt2", readGpt2}, {"llama", readLlama}, {"qwen2", readQwen2}};

/// Rows of the embedding matrix; the lists of the vocabulary must have as many.
std::int64_t vocabularySize(const GgufFile& file, const std::string& architecture)
{
    const GgufTensor* const embedding = file.find("token_embd.weight");
    if (embedding == nullptr || embedding->shape.size() != 2)
        throw FormatError("a matrix \"token_embd.weight\" was expected", file.path(), std::nullopt,
                          "The weights are incomplete");
    const std::int64_t rows = embedding->shape[0];
    const std::string key = architecture + ".vocab_size";
    const GgufMetadata& metadata = file.metadata();
    if (metadata.integer(key, rows) != rows)
        throw metadata.refusal(key, fmt::format("\"token_embd.weight\" has {} rows", rows));
    const GgufValue* const tokens = metadata.find("tokenizer.ggml.tokens");
    if (tokens == nullptr)
        return rows;
    const auto* const list = std::get_if<GgufArray>(&tokens->data);
    if (list == nullptr || list->count != static_cast<std::uint64_t>(rows))
        throw metadata.refusal("tokenizer.ggml.tokens",
                               fmt::format("\"token_embd.weight\" has {} rows", rows));
    return rows;
}

} // namespace

std::vector<std::string> ggufArchitectures()
{
    std::vector<std::string> names;
    for (const auto& [name, read] : kReaders)
        names.push_back(name);
    return names;
}

ModelConfig ggufConfig(const GgufFile& file)
{
    const std::string architecture = file.metadata().text("general.architecture");
    const auto read = kReaders.find(architecture);
    if (read == kReaders.end())
        throw file.metadata().refusal("general.architecture",
                                      "Supported: gpt2, llama (also Mistral, SmolLM2), qwen2");
    const Keys keys(file, architecture);
    try {
        ModelConfig config = read->second(keys);
        config.dropout = 0.0;
        config.vocabularySize = vocabularySize(file, architecture);
        config.tieEmbeddings = file.find("output.weight") == nullptr;
        config.validate();
        return config;
    } catch (const FormatError&) {
        throw;
    } catch (const Error& error) {
        throw FormatError(error.problem(), file.path(), std::nullopt, error.advice());
    }
}

} // namespace headscope
