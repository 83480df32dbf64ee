// labels: golden

#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/io/gguf/gguf_model.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr Tolerance kPatterns{2e-5, 0.0};
constexpr Tolerance kHiddenStates{1e-4, 1e-5};

/// Keeps everything that a run shows.
class Notebook : public ActivationObserver
{
public:
    bool wants(TraceKey) const override { return true; }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        Tensor copy(activation.shape);
        std::int64_t next = 0;
        copyInto(activation, copy, next, 0, activation.data);
        m_seen[toString(key)] = std::move(copy);
    }

    const Tensor& at(const std::string& name) const { return m_seen.at(name); }

private:
    static void copyInto(const TensorView& view, Tensor& copy, std::int64_t& next, int axis,
                         const float* data)
    {
        if (axis == view.shape.rank()) {
            copy.data()[next++] = *data;
            return;
        }
        for (std::int64_t i = 0; i < view.shape[axis]; ++i)
            copyInto(view, copy, next, axis + 1,
                     data + i * view.strides[static_cast<std::size_t>(axis)]);
    }

    std::map<std::string, Tensor> m_seen;
};

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

/// One row of the batch of the logits [batch, tokens, vocabulary].
std::vector<double> logitsOf(const GoldenFile& file, std::int64_t row)
{
    const std::vector<double> all = file.expected("out.logits");
    const auto size = static_cast<std::int64_t>(all.size()) / file.shape("out.logits")[0];
    return {all.begin() + row * size, all.begin() + (row + 1) * size};
}

/// Rows of ids, shortened by the padding that the attention mask tells of: a text of its own.
struct Row
{
    std::vector<TokenId> ids;
    std::int64_t padded = 0; ///< length with padding
};

Row rowOf(const GoldenFile& file, const std::string& name, std::int64_t row, bool masked)
{
    const std::vector<std::int64_t> all = file.integers(name);
    const std::int64_t length = file.shape(name)[1];
    Row result;
    result.padded = length;
    const std::vector<std::int64_t> mask =
        masked ? file.integers("in.attention_mask") : std::vector<std::int64_t>(all.size(), 1);
    for (std::int64_t i = row * length; i < (row + 1) * length; ++i)
        if (mask[static_cast<std::size_t>(i)] != 0)
            result.ids.push_back(static_cast<TokenId>(all[static_cast<std::size_t>(i)]));
    return result;
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

std::string expectedFile(const QString& name)
{
    return "hf/" + name.toStdString() + ".expected.safetensors";
}

void addModels(std::initializer_list<const char*> names)
{
    QTest::addColumn<QString>("name");
    for (const char* name : names)
        QTest::newRow(name) << name;
}

} // namespace

class TstHuggingFace : public QObject
{
    Q_OBJECT

private slots:
    void oneStackMatches_data();
    void oneStackMatches();
    void ggufFilesMatch_data();
    void ggufFilesMatch();
    void twoStacksMatch_data();
    void twoStacksMatch();
    void growingTextsMatch_data();
    void growingTextsMatch();

private:
    void compareModel(const GoldenFile& file, const Model& model);
    void compareStack(const GoldenFile& file, const Notebook& seen, const QString& kind,
                      const Row& text, std::int64_t row);
};

/// Patterns and hidden states of one row. `kind`: "" for a model with one stack, "enc", "dec".
void TstHuggingFace::compareStack(const GoldenFile& file, const Notebook& seen, const QString& kind,
                                  const Row& text, std::int64_t row)
{
    const std::string prefix = "out." + (kind.isEmpty() ? "" : kind.toStdString() + "_");
    const std::string blocks = kind == "enc" ? "encoder." : kind == "dec" ? "decoder." : "blocks.";
    const std::int64_t layers = file.shape(prefix + "attn")[0];
    const auto tokens = static_cast<std::int64_t>(text.ids.size());
    const std::int64_t width = file.shape(prefix + "hidden")[3];
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::string block = blocks + std::to_string(layer) + ".";
        const Tensor& pattern = seen.at(block + "attn.hook_pattern");
        HS_COMPARE(pattern.values(),
                   corner(partOf(file, prefix + "attn", layer, row), text.padded, text.padded,
                          tokens, tokens),
                   kPatterns);
        const Tensor& stream = seen.at(block + "hook_resid_pre");
        HS_COMPARE(
            stream.values(),
            corner(partOf(file, prefix + "hidden", layer, row), text.padded, width, tokens, width),
            kHiddenStates);
    }
}

void TstHuggingFace::oneStackMatches_data()
{
    addModels({"gpt2",
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
               "qwen2_moe"});
}

/// Everything that a model with one stack computes.
void TstHuggingFace::compareModel(const GoldenFile& file, const Model& model)
{
    const std::int64_t width = model.config().dModel;
    const std::int64_t vocabulary = model.config().vocabularySize;
    for (std::int64_t row = 0; row < file.shape("in.ids")[0]; ++row) {
        const Row text = rowOf(file, "in.ids", row, true);
        const auto tokens = static_cast<std::int64_t>(text.ids.size());
        CpuAttention backend;
        KvCache cache(model.config());
        Notebook seen;
        ForwardOptions options;
        options.observer = &seen;
        const Tensor logits = model.forward(text.ids, backend, cache, options);
        compareStack(file, seen, {}, text, row);
        const bool finalNorm = model.config().hasFinalNorm();
        const Tensor& last = seen.at(
            finalNorm ? "ln_final.hook_normalized"
                      : "blocks." + std::to_string(model.config().layers - 1) + ".hook_resid_post");
        HS_COMPARE(last.values(),
                   corner(partOf(file, "out.hidden", model.config().layers, row), text.padded,
                          width, tokens, width),
                   kHiddenStates);
        HS_COMPARE(logits.values(),
                   corner(logitsOf(file, row), text.padded, vocabulary, tokens, vocabulary),
                   kHiddenStates);
    }
}

void TstHuggingFace::oneStackMatches()
{
    QFETCH(const QString, name);
    compareModel(GoldenFile(expectedFile(name)),
                 loadHuggingFaceModel(goldenDir() / "hf" / name.toStdString()));
}

/// Files as llama.cpp's converter writes them, with what transformers computes.
void TstHuggingFace::ggufFilesMatch_data()
{
    addModels({"gemma", "gemma2", "gemma3", "granite", "mixtral", "olmo2", "qwen3", "qwen3_moe",
               "smollm3", "phi2", "phi3", "phi3_long", "stablelm", "stablelm_parallel", "falcon",
               "falcon_new", "gpt_oss", "gpt_oss_mxfp4", "qwen2_moe"});
}

void TstHuggingFace::ggufFilesMatch()
{
    QFETCH(const QString, name);
    const std::filesystem::path path = goldenDir() / "gguf" / (name.toStdString() + ".gguf");
    const std::string own = "gguf/" + name.toStdString() + ".expected.safetensors";
    const bool isOwn = std::filesystem::exists(goldenDir() / own);
    const StoredModel stored = findGgufModel(GgufFile::open(path));
    Progress progress;
    requireFinite(stored, readNumbers(stored, progress));
    compareModel(GoldenFile(isOwn ? own : expectedFile(name)), makeModel(stored));
}

void TstHuggingFace::twoStacksMatch_data()
{
    addModels({"t5", "t5_v11", "marian", "bart", "mbart", "mt5"});
}

void TstHuggingFace::twoStacksMatch()
{
    QFETCH(const QString, name);
    const GoldenFile file(expectedFile(name));
    const Model model = loadHuggingFaceModel(goldenDir() / "hf" / name.toStdString());
    const std::int64_t width = model.config().dModel;
    const std::int64_t vocabulary = model.config().vocabularySize;
    for (std::int64_t row = 0; row < file.shape("in.ids")[0]; ++row) {
        const Row source = rowOf(file, "in.ids", row, true);
        const Row target = rowOf(file, "in.decoder_ids", row, false);
        const auto sourceTokens = static_cast<std::int64_t>(source.ids.size());
        CpuAttention backend;
        KvCache cache(model.config());
        Notebook seen;
        ForwardOptions options;
        options.observer = &seen;
        model.encode(source.ids, backend, cache, options);
        const Tensor logits = model.forward(target.ids, backend, cache, options);
        compareStack(file, seen, "enc", source, row);
        compareStack(file, seen, "dec", target, row);
        for (std::int64_t layer = 0; layer < file.shape("out.cross_attn")[0]; ++layer)
            HS_COMPARE(
                seen.at("decoder." + std::to_string(layer) + ".cross_attn.hook_pattern").values(),
                corner(partOf(file, "out.cross_attn", layer, row), target.padded, source.padded,
                       target.padded, sourceTokens),
                kPatterns);
        const std::span<const float> memory(cache.memory().data,
                                            static_cast<std::size_t>(sourceTokens * width));
        HS_COMPARE(memory,
                   corner(partOf(file, "out.enc_hidden", model.config().layers, row), source.padded,
                          width, sourceTokens, width),
                   kHiddenStates);
        HS_COMPARE(
            logits.values(),
            corner(logitsOf(file, row), target.padded, vocabulary, target.padded, vocabulary),
            kHiddenStates);
    }
}

void TstHuggingFace::growingTextsMatch_data()
{
    addModels({"gpt2",      "llama",      "mistral",  "qwen2",       "gpt_neox", "bloom",
               "gemma3",    "falcon_new", "gpt_oss",  "olmo3",       "opt",      "smollm3",
               "gptj",      "gpt_neo",    "mpt",      "gpt_bigcode", "cohere2",  "exaone4",
               "falcon_rw", "opt_post",   "qwen2_moe"});
}

void TstHuggingFace::growingTextsMatch()
{
    QFETCH(const QString, name);
    const GoldenFile file(expectedFile(name));
    const Model model = loadHuggingFaceModel(goldenDir() / "hf" / name.toStdString());
    const Row text = rowOf(file, "in.ids", 0, true);
    const std::int64_t vocabulary = model.config().vocabularySize;
    ReferenceAttention backend;
    KvCache cache(model.config());
    std::vector<float> logits;
    for (std::size_t length = 1; length <= text.ids.size(); ++length) {
        const Tensor row = model.forward(std::span(text.ids).first(length), backend, cache);
        logits.insert(logits.end(), row.values().begin(), row.values().end());
    }
    HS_COMPARE(std::span<const float>(logits),
               corner(logitsOf(file, 0), text.padded, vocabulary, text.padded, vocabulary),
               kHiddenStates);
}

HEADSCOPE_TEST(TstHuggingFace)
#include "tst_hugging_face.moc"
