#include "tests/support/golden_models.h"

#include "core/io/gguf/gguf_model.h"
#include "tests/support/batch_run.h"
#include "tests/support/hugging_face_model.h"

#include <algorithm>
#include <map>

namespace headscope::test {

namespace {

constexpr const char* kOneStack[] = {"gpt2",
                                     "llama",
                                     "llama_bf16_sharded",
                                     "mistral",
                                     "qwen2",
                                     "gpt_neox",
                                     "bloom",
                                     "bert",
                                     "qwen3",
                                     "qwen3_window",
                                     "qwen3_moe",
                                     "gemma",
                                     "gemma2",
                                     "gemma3",
                                     "phi",
                                     "phi3",
                                     "phi3_long",
                                     "olmo2",
                                     "olmo3",
                                     "granite",
                                     "smollm3",
                                     "stablelm",
                                     "stablelm_parallel",
                                     "falcon",
                                     "falcon_new",
                                     "opt",
                                     "mixtral",
                                     "gpt_oss",
                                     "roberta",
                                     "electra",
                                     "distilbert",
                                     "gptj",
                                     "codegen",
                                     "gpt_neo",
                                     "mpt",
                                     "gpt_bigcode",
                                     "gpt_bigcode_heads",
                                     "olmo",
                                     "olmoe",
                                     "granitemoe",
                                     "cohere",
                                     "cohere2",
                                     "exaone4",
                                     "starcoder2",
                                     "glm",
                                     "glm4",
                                     "ernie4_5",
                                     "seed_oss",
                                     "internlm2",
                                     "baichuan",
                                     "electra_small",
                                     "modernbert",
                                     "qwen3_fp8",
                                     "llama_fp8",
                                     "gpt_oss_mxfp4",
                                     "falcon_rw",
                                     "opt_post",
                                     "qwen2_moe"};

constexpr const char* kTwoStacks[] = {"t5", "t5_v11", "marian", "bart", "mbart", "mt5"};

constexpr const char* kGguf[] = {
    "gemma",          "gemma2",       "gemma3",         "granite",           "mixtral",
    "olmo2",          "qwen3",        "qwen3_moe",      "smollm3",           "phi2",
    "phi3",           "phi3_long",    "stablelm",       "stablelm_parallel", "falcon",
    "falcon_new",     "gpt_oss",      "gpt_oss_mxfp4",  "qwen2_moe",         "llama",
    "qwen2",          "gpt2",         "falcon_default", "falcon_groups",     "gemma2_default",
    "gemma3_default", "phi3_default", "qwen3_default",  "stablelm_default"};

/// Files that have values of their own name them; the others share those of the folder.
std::string expectedFile(const GoldenModelName& model)
{
    const std::string own = "gguf/" + model.name + ".expected.safetensors";
    if (model.kind == GoldenKind::Gguf && std::filesystem::exists(goldenDir() / own))
        return own;
    return "hf/" + model.name + ".expected.safetensors";
}

Model load(const GoldenModelName& model)
{
    if (model.kind != GoldenKind::Gguf)
        return loadHuggingFaceModel(goldenDir() / "hf" / model.name);
    const StoredModel stored =
        findGgufModel(GgufFile::open(goldenDir() / "gguf" / (model.name + ".gguf")));
    Progress progress;
    requireFinite(stored, readNumbers(stored, progress));
    return makeModel(stored);
}

/// [layer][row of the batch] of a golden tensor [layer, batch, ...].
std::vector<double> partOf(const GoldenFile& file, const std::string& name, std::int64_t layer,
                           std::int64_t row)
{
    const std::vector<std::int64_t> shape = file.shape(name);
    const std::vector<double> all = file.expected(name);
    const auto size = static_cast<std::int64_t>(all.size()) / (shape[0] * shape[1]);
    const auto begin = all.begin() + (layer * shape[1] + row) * size;
    return {begin, begin + size};
}

/// The top left corner [.., rows, columns] of [.., paddedRows, paddedColumns].
std::vector<double> corner(const std::vector<double>& values, std::int64_t paddedRows,
                           std::int64_t paddedColumns, std::int64_t rows, std::int64_t columns)
{
    std::vector<double> result;
    const std::int64_t planes =
        static_cast<std::int64_t>(values.size()) / (paddedRows * paddedColumns);
    for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column)
                result.push_back(values[static_cast<std::size_t>(
                    (plane * paddedRows + row) * paddedColumns + column)]);
    return result;
}

} // namespace

/// A row of ids, shortened by the padding that the attention mask tells of.
struct GoldenModel::Row
{
    std::vector<TokenId> ids;
    std::int64_t padded = 0; ///< length with padding
};

/// Keeps everything that a run shows.
class GoldenModel::Notebook : public ActivationObserver
{
public:
    bool wants(TraceKey) const override { return true; }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        m_seen[toString(key)] = contiguous(activation);
    }

    const Tensor& at(const std::string& name) const { return m_seen.at(name); }

private:
    std::map<std::string, Tensor> m_seen;
};

/// Remembers the first of several differences.
class GoldenModel::Check
{
public:
    void compare(const std::string& what, std::span<const float> got,
                 const std::vector<double>& expected, Tolerance tolerance)
    {
        const std::string problem = mismatch(got, expected, tolerance);
        if (m_problem.empty() && !problem.empty())
            m_problem = what + ": " + problem;
    }

    const std::string& problem() const { return m_problem; }

private:
    std::string m_problem;
};

std::string GoldenModelName::text() const
{
    return (kind == GoldenKind::Gguf ? "GGUF " : "") + name;
}

std::vector<GoldenModelName> GoldenModel::names()
{
    std::vector<GoldenModelName> all;
    for (const char* const name : kOneStack)
        all.push_back({name, GoldenKind::OneStack});
    for (const char* const name : kTwoStacks)
        all.push_back({name, GoldenKind::TwoStacks});
    for (const char* const name : kGguf)
        all.push_back({name, GoldenKind::Gguf});
    return all;
}

GoldenModel::GoldenModel(const GoldenModelName& name)
    : m_file(expectedFile(name))
    , m_model(load(name))
    , m_hasTwoStacks(name.kind == GoldenKind::TwoStacks)
{
}

GoldenModel::Row GoldenModel::rowOf(const std::string& name, std::int64_t row, bool masked) const
{
    const std::vector<std::int64_t> all = m_file.integers(name);
    const std::int64_t length = m_file.shape(name)[1];
    Row result;
    result.padded = length;
    const std::vector<std::int64_t> mask =
        masked ? m_file.integers("in.attention_mask") : std::vector<std::int64_t>(all.size(), 1);
    for (std::int64_t i = row * length; i < (row + 1) * length; ++i)
        if (mask[static_cast<std::size_t>(i)] != 0)
            result.ids.push_back(static_cast<TokenId>(all[static_cast<std::size_t>(i)]));
    return result;
}

std::vector<TokenId> GoldenModel::textOf(std::int64_t row) const
{
    return rowOf("in.ids", row, true).ids;
}

std::vector<double> GoldenModel::logitsOf(std::int64_t row, std::int64_t tokens) const
{
    const std::vector<std::int64_t> shape = m_file.shape("out.logits");
    const std::vector<double> all = m_file.expected("out.logits");
    const auto begin = all.begin() + row * shape[1] * shape[2];
    return {begin, begin + tokens * shape[2]};
}

/// Patterns and hidden states of one row. `kind`: "" for a model with one stack, "enc", "dec".
void GoldenModel::compareStack(const Notebook& seen, const std::string& kind, const Row& text,
                               std::int64_t row, Check& check) const
{
    const std::string prefix = "out." + (kind.empty() ? "" : kind + "_");
    const std::string blocks = kind == "enc" ? "encoder." : kind == "dec" ? "decoder." : "blocks.";
    const std::int64_t layers = m_file.shape(prefix + "attn")[0];
    const std::int64_t tokens = std::ssize(text.ids);
    const std::int64_t width = m_file.shape(prefix + "hidden")[3];
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::string block = blocks + std::to_string(layer) + ".";
        check.compare(block + "pattern", seen.at(block + "attn.hook_pattern").values(),
                      corner(partOf(m_file, prefix + "attn", layer, row), text.padded, text.padded,
                             tokens, tokens),
                      kPatterns);
        check.compare(block + "input", seen.at(block + "hook_resid_pre").values(),
                      corner(partOf(m_file, prefix + "hidden", layer, row), text.padded, width,
                             tokens, width),
                      kHiddenStates);
    }
}

void GoldenModel::compareOneStack(std::int64_t row, AttentionBackend& backend, Check& check) const
{
    const ModelConfig& config = m_model.config();
    const Row text = rowOf("in.ids", row, true);
    const std::int64_t tokens = std::ssize(text.ids);
    KvCache cache(config);
    Notebook seen;
    ForwardOptions options;
    options.observer = &seen;
    const Tensor logits = m_model.forward(text.ids, backend, cache, options);
    compareStack(seen, {}, text, row, check);
    const Tensor& last = seen.at(
        config.hasFinalNorm() ? "ln_final.hook_normalized"
                              : "blocks." + std::to_string(config.layers - 1) + ".hook_resid_post");
    check.compare("final state", last.values(),
                  corner(partOf(m_file, "out.hidden", config.layers, row), text.padded,
                         config.dModel, tokens, config.dModel),
                  kHiddenStates);
    check.compare("logits", logits.values(), logitsOf(row, tokens), kHiddenStates);
}

void GoldenModel::compareTwoStacks(std::int64_t row, AttentionBackend& backend, Check& check) const
{
    const std::int64_t width = m_model.config().dModel;
    const Row source = rowOf("in.ids", row, true);
    const Row target = rowOf("in.decoder_ids", row, false);
    const std::int64_t sourceTokens = std::ssize(source.ids);
    KvCache cache(m_model.config());
    Notebook seen;
    ForwardOptions options;
    options.observer = &seen;
    m_model.encode(source.ids, backend, cache, options);
    const Tensor logits = m_model.forward(target.ids, backend, cache, options);
    compareStack(seen, "enc", source, row, check);
    compareStack(seen, "dec", target, row, check);
    for (std::int64_t layer = 0; layer < m_file.shape("out.cross_attn")[0]; ++layer) {
        const std::string name = "decoder." + std::to_string(layer) + ".cross_attn.hook_pattern";
        check.compare(name, seen.at(name).values(),
                      corner(partOf(m_file, "out.cross_attn", layer, row), target.padded,
                             source.padded, target.padded, sourceTokens),
                      kPatterns);
    }
    check.compare("memory", {cache.memory().data, static_cast<std::size_t>(sourceTokens * width)},
                  corner(partOf(m_file, "out.enc_hidden", m_model.config().layers, row),
                         source.padded, width, sourceTokens, width),
                  kHiddenStates);
    check.compare("logits", logits.values(), logitsOf(row, target.padded), kHiddenStates);
}

std::string GoldenModel::textsProblem(AttentionBackend& backend) const
{
    Check check;
    for (std::int64_t row = 0; row < m_file.shape("in.ids")[0]; ++row)
        if (m_hasTwoStacks)
            compareTwoStacks(row, backend, check);
        else
            compareOneStack(row, backend, check);
    return check.problem();
}

namespace {

/// Gives every padding token, of which nothing may be seen, another id than the file.
void replacePadding(std::vector<TokenId>& ids, const std::vector<std::uint8_t>& mask,
                    std::int64_t vocabulary)
{
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (mask[i] == 0)
            ids[i] = static_cast<TokenId>((ids[i] + 7) % vocabulary);
}

} // namespace

std::string GoldenModel::batchProblem(AttentionBackend& backend) const
{
    const ModelConfig& config = m_model.config();
    const auto tokensOf = [&](const std::string& name) {
        const std::vector<std::int64_t> all = m_file.integers(name);
        return std::vector<TokenId>(all.begin(), all.end());
    };
    const std::vector<TokenId> ids = tokensOf("in.ids");
    const std::vector<std::int64_t> stored = m_file.integers("in.attention_mask");
    std::vector<std::uint8_t> mask(stored.begin(), stored.end());
    // Where both texts have the same length, the second one of a causal model is made shorter.
    const std::int64_t length = m_file.shape("in.ids")[1];
    if (!m_hasTwoStacks && config.causal && mask.back() != 0)
        std::fill(mask.end() - length / 2, mask.end(), std::uint8_t{0});
    BatchTexts texts;
    texts.rows = m_file.shape("in.ids")[0];
    texts.length = length;
    texts.ids = ids;
    texts.keyMask = mask;
    replacePadding(texts.ids, mask, config.vocabularySize);
    if (m_hasTwoStacks) {
        texts.sources = texts.ids;
        texts.sourceKeyMask = mask;
        texts.sourceLength = length;
        texts.ids = tokensOf("in.decoder_ids");
        texts.length = m_file.shape("in.decoder_ids")[1];
        texts.keyMask.assign(texts.ids.size(), 1);
    }
    if (std::ranges::count(mask, 0) == 0)
        return "no text is padded";
    const BatchRun run(m_model, texts, backend);
    Check check;
    for (std::int64_t row = 0; row < texts.rows; ++row) {
        const auto first = texts.keyMask.begin() + row * texts.length;
        const std::int64_t tokens = std::count(first, first + texts.length, 1);
        const TensorView got = run.result[row];
        check.compare("text " + std::to_string(row) + " of the batch",
                      {got.data, static_cast<std::size_t>(tokens * got.shape[1])},
                      logitsOf(row, tokens), kHiddenStates);
    }
    return check.problem();
}

} // namespace headscope::test
