// labels: golden
#include "core/attention/reference_attention.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/io/gguf/gguf_config.h"
#include "core/io/gguf/gguf_model.h"
#include "tests/support/gguf_models.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>

using namespace headscope;
using namespace headscope::test;

namespace {

const std::vector<TokenId> kIds{3, 17, 17, 40, 0, 25, 9};

/// The attention weights of every layer, [layer][head, query, key].
class Patterns : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override { return key.site == Site::Pattern; }

    void record(TraceKey, TensorView pattern, std::int64_t) override
    {
        Tensor& copy = all.emplace_back(pattern.shape);
        for (std::int64_t head = 0; head < pattern.shape[0]; ++head)
            for (std::int64_t query = 0; query < pattern.shape[1]; ++query)
                for (std::int64_t key = 0; key < pattern.shape[2]; ++key)
                    copy.view()(head, query, key) = pattern(head, query, key);
    }

    std::vector<Tensor> all;
};

Tensor logitsOf(const Model& model, std::span<const TokenId> ids, Patterns* patterns = nullptr)
{
    ReferenceAttention backend;
    KvCache cache(model.config());
    return model.forward(ids, backend, cache, patterns);
}

std::vector<double> toDoubles(const Tensor& tensor)
{
    return {tensor.values().begin(), tensor.values().end()};
}

/// The same numbers as floats in memory.
Model plainModel(const ModelConfig& config, const std::vector<StoredParameter>& stored)
{
    ParameterSet parameters(config);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const Tensor floats = floatsOf(stored[i]);
        std::copy(floats.values().begin(), floats.values().end(),
                  parameters.view(parameters.specs()[i]).data);
    }
    return {config, std::move(parameters)};
}

ModelConfig configOf(const GgufBuilder& builder)
{
    const std::string bytes = builder.bytes();
    return ggufConfig(GgufFile::fromMemory(std::as_bytes(std::span(bytes)), "m.gguf"));
}

} // namespace

class TstGgufModel : public QObject
{
    Q_OBJECT

private slots:
    void modelsOfAllFamiliesMatch_data();
    void modelsOfAllFamiliesMatch();
    void queryHeadsShareTheRightKeyHeads();
    void permutedRowsOfLlamaTurnAsTheyShould();
    void ropeScalingsAreRead();
    void frequencyFactorsOfLlama3AreRecognised();
    void otherSettingsAreRead();
    void settingsOfLayersAreRead();
    void whatFamiliesDoNotFitIsRefused_data();
    void whatFamiliesDoNotFitIsRefused();
    void whatDoesNotFitIsRefused_data();
    void whatDoesNotFitIsRefused();
    void tensorsThatDoNotFitAreNamed();
    void theVocabularyIsHandedOn();

private:
    Model load(const GgufBuilder& builder)
    {
        const std::filesystem::path path = (m_folder.path() + "/m.gguf").toStdString();
        writeAtomically(path, builder.bytes());
        const StoredModel stored = findGgufModel(GgufFile::open(path));
        Progress progress;
        requireFinite(stored, readNumbers(stored, progress));
        return makeModel(stored);
    }

    std::string refusal(const GgufBuilder& builder)
    {
        try {
            load(builder);
        } catch (const FormatError& error) {
            return error.what();
        }
        return {};
    }

    QTemporaryDir m_folder;
};

void TstGgufModel::modelsOfAllFamiliesMatch_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<int>("format");
    for (const char* architecture : {"llama", "qwen2", "gpt2"})
        for (const BlockFormat format : {BlockFormat::F32, BlockFormat::F16, BlockFormat::BF16,
                                         BlockFormat::Q8_0, BlockFormat::Q4_1, BlockFormat::Q5_0})
            QTest::addRow("%s in %s", architecture, layoutOf(format).name.data())
                << architecture << static_cast<int>(format);
    for (const BlockFormat format : {BlockFormat::Q4_K, BlockFormat::Q6_K, BlockFormat::IQ4_XS})
        QTest::addRow("llama in %s", layoutOf(format).name.data())
            << "llama" << static_cast<int>(format);
}

void TstGgufModel::modelsOfAllFamiliesMatch()
{
    QFETCH(const QString, architecture);
    QFETCH(const int, format);
    const std::string name = architecture.toStdString();
    const ModelConfig config = ggufTestConfig(name);
    const auto stored = randomStored(config, static_cast<BlockFormat>(format), 7);
    GgufBuilder builder = ggufMetadata(name, config);
    addGgufTensors(builder, name, config, stored);
    const Model model = load(builder);
    QVERIFY(model.config().rope.layout == config.rope.layout);
    QCOMPARE(model.config().tieEmbeddings, config.tieEmbeddings);
    QCOMPARE(model.config().keyHeadCount(), config.keyHeadCount());
    ModelConfig same = config;
    same.normEpsilon = model.config().normEpsilon; // stored in single precision
    const Tensor expected = logitsOf(plainModel(same, stored), kIds);
    HS_COMPARE(logitsOf(model, kIds).values(), toDoubles(expected), (Tolerance{1e-4, 1e-4}));
}

void TstGgufModel::queryHeadsShareTheRightKeyHeads()
{
    const ModelConfig config = ggufTestConfig("qwen2");
    QCOMPARE(config.heads, std::int64_t{14});
    QCOMPARE(config.keyHeads, std::int64_t{2});
    auto stored = randomStored(config, BlockFormat::F32, 11);
    const std::vector<ParameterSpec> specs = parameterLayout(config);
    for (std::size_t i = 0; i < specs.size(); ++i) { // all query heads ask the same
        if (specs[i].name.find("attn.q.") == std::string::npos)
            continue;
        Tensor floats(specs[i].shape);
        std::copy_n(floatsOf(stored[i]).data(), floats.size(), floats.data());
        const std::size_t head = floats.size() / 14;
        for (std::size_t value = head; value < floats.size(); ++value)
            floats.data()[value] = floats.data()[value % head];
        stored[i] = storedFloats(std::move(floats));
    }
    GgufBuilder builder = ggufMetadata("qwen2", config);
    addGgufTensors(builder, "qwen2", config, stored);
    Patterns seen;
    logitsOf(load(builder), kIds, &seen);
    QCOMPARE(seen.all.size(), std::size_t{2});
    for (const Tensor& pattern : seen.all) {
        const std::size_t size = kIds.size() * kIds.size();
        const auto headOf = [&](std::size_t head) {
            const std::span<const float> values = pattern.values().subspan(head * size, size);
            return std::vector<float>(values.begin(), values.end());
        };
        for (std::size_t query = 0; query < 14; ++query) {
            const std::size_t keyHead = query * 2 / 14; // floor(q n_kv / n_q)
            QVERIFY(headOf(query) == headOf(keyHead * 7));
        }
        QVERIFY(headOf(0) != headOf(7));
    }
}

/// As converters do it: rows (head, half, i) of transformers become (head, i, half).
void TstGgufModel::permutedRowsOfLlamaTurnAsTheyShould()
{
    const Model theirs = loadHuggingFaceModel(goldenDir() / "hf" / "llama");
    const ModelConfig& config = theirs.config();
    QVERIFY(config.rope.layout == RopeSettings::Layout::Half);
    std::vector<StoredParameter> stored;
    for (const ParameterSpec& spec : theirs.parameters().specs()) {
        const TensorView from = theirs.parameters().view(spec);
        Tensor floats(spec.shape);
        std::copy_n(from.data, floats.size(), floats.data());
        const bool turns =
            spec.name.ends_with("attn.q.weight") || spec.name.ends_with("attn.k.weight");
        const std::int64_t half = config.headDim() / 2;
        for (std::int64_t row = 0; turns && row < spec.shape[0]; ++row) {
            const std::int64_t head = row / config.headDim();
            const std::int64_t i = row % config.headDim() / 2;
            const std::int64_t source = head * config.headDim() + row % 2 * half + i;
            std::copy_n(from.data + source * spec.shape[1], spec.shape[1],
                        floats.data() + row * spec.shape[1]);
        }
        stored.push_back(storedFloats(std::move(floats)));
    }
    GgufBuilder builder = ggufMetadata("llama", config);
    addGgufTensors(builder, "llama", config, stored);
    Patterns expected;
    Patterns got;
    const Tensor logits = logitsOf(theirs, kIds, &expected);
    HS_COMPARE(logitsOf(load(builder), kIds, &got).values(), toDoubles(logits),
               (Tolerance{1e-4, 1e-5}));
    for (std::size_t layer = 0; layer < expected.all.size(); ++layer)
        HS_COMPARE(got.all[layer].values(), toDoubles(expected.all[layer]), (Tolerance{2e-5, 0.0}));
}

namespace {

/// A llama with nothing but its embedding, for what comes from the metadata alone.
GgufBuilder llamaWith(const std::function<void(GgufBuilder&)>& more)
{
    const ModelConfig config = ggufTestConfig("llama");
    GgufBuilder builder = ggufMetadata("llama", config);
    more(builder);
    builder.tensor(
        "token_embd.weight", {config.vocabularySize, config.dModel}, 0,
        std::string(static_cast<std::size_t>(config.vocabularySize * config.dModel * 4), '\0'));
    builder.tensor("output_norm.weight", {1}, 0, std::string(4, '\0'));
    return builder;
}

/// A model of `architecture` with `layers` layers and all that its reader asks for.
GgufBuilder decoderWith(const std::string& architecture, std::int64_t layers,
                        const std::function<void(GgufBuilder&)>& more = {})
{
    ModelConfig config = ggufTestConfig("llama");
    config.layers = layers;
    GgufBuilder builder = ggufMetadata(architecture, config);
    if (more)
        more(builder);
    for (std::int64_t tensor = 0; tensor < layers; ++tensor) // no more layers than tensors
        builder.tensor("t" + std::to_string(tensor), {1}, 0, "1234");
    builder.tensor("token_embd.weight", {48, 256}, 0, std::string(48 * 256 * 4, '\0'));
    return builder;
}

} // namespace

void TstGgufModel::ropeScalingsAreRead()
{
    const RopeSettings linear = configOf(llamaWith([](GgufBuilder& b) {
                                    b.text("llama.rope.scaling.type", "linear");
                                    b.number("llama.rope.scaling.factor", 4.0F);
                                })).rope;
    QVERIFY(linear.scaling == RopeSettings::Scaling::Linear);
    QCOMPARE(linear.factor, 4.0);
    const RopeSettings older =
        configOf(llamaWith([](GgufBuilder& b) { b.number("llama.rope.scale_linear", 2.0F); })).rope;
    QVERIFY(older.scaling == RopeSettings::Scaling::Linear);
    QCOMPARE(older.factor, 2.0);
    const RopeSettings yarn = configOf(llamaWith([](GgufBuilder& b) {
                                  b.text("llama.rope.scaling.type", "yarn");
                                  b.number("llama.rope.scaling.factor", 4.0F);
                                  b.number("llama.rope.scaling.original_context_length", 8U);
                                  b.number("llama.rope.scaling.yarn_beta_fast", 16.0F);
                                  b.number("llama.rope.scaling.attn_factor", 0.5F);
                              })).rope;
    QVERIFY(yarn.scaling == RopeSettings::Scaling::Yarn);
    QCOMPARE(yarn.originalMaxLen, std::int64_t{8});
    QCOMPARE(yarn.betaFast, 16.0);
    QCOMPARE(yarn.attentionFactor, 0.5 * (0.1 * std::log(4.0) + 1.0));
    QVERIFY(configOf(llamaWith([](GgufBuilder& b) {
                b.text("llama.rope.scaling.type", "none");
            })).rope.scaling == RopeSettings::Scaling::None);
}

void TstGgufModel::frequencyFactorsOfLlama3AreRecognised()
{
    // By the published rule, for heads of 32 channels, theta 500000 and factor 8.
    std::string factors;
    for (int i = 0; i < 16; ++i) {
        const double wavelength = 2.0 * M_PI * std::pow(500000.0, i / 16.0);
        const double smooth = (8192.0 / wavelength - 1.0) / 3.0;
        const double factor = wavelength < 8192.0 / 4.0 ? 1.0
                              : wavelength > 8192.0     ? 8.0
                                                        : 1.0 / ((1.0 - smooth) / 8.0 + smooth);
        factors += bytesOf(static_cast<float>(factor));
    }
    ModelConfig config = ggufTestConfig("llama");
    config.rope.theta = 500000.0;
    const auto with = [&](const std::string& numbers) {
        GgufBuilder builder = ggufMetadata("llama", config);
        builder.tensor("token_embd.weight", {48, 256}, 0, std::string(48 * 256 * 4, '\0'));
        builder.tensor("rope_freqs.weight", {16}, 0, numbers);
        return builder;
    };
    const RopeSettings rope = configOf(with(factors)).rope;
    QVERIFY(rope.scaling == RopeSettings::Scaling::Llama3);
    QCOMPARE(rope.factor, 8.0);
    QCOMPARE(rope.originalMaxLen, std::int64_t{8192});
    std::string ones;
    for (int i = 0; i < 16; ++i)
        ones += bytesOf(1.0F);
    QVERIFY(configOf(with(ones)).rope.scaling == RopeSettings::Scaling::None);
    factors.replace(20, 4, bytesOf(3.0F));
    QVERIFY(refusal(with(factors)).find("divides frequency 5 by 3") != std::string::npos);
    factors.replace(20, 4, bytesOf(std::nanf("")));
    QVERIFY(refusal(with(factors)).find("divides frequency 5 by nan") != std::string::npos);
}

void TstGgufModel::otherSettingsAreRead()
{
    const ModelConfig config = configOf(llamaWith([](GgufBuilder& b) {
        b.number("llama.attention.sliding_window", 16U);
        b.number("llama.vocab_size", 48U);
    }));
    QVERIFY(config.window == 16);
    QVERIFY(config.tieEmbeddings);
    QVERIFY(!config.hasQueryKeyValueBias());
    QCOMPARE(config.normEpsilon, static_cast<double>(1e-5F));
}

void TstGgufModel::settingsOfLayersAreRead()
{
    const ModelConfig gemma3 = configOf(decoderWith("gemma3", 6, [](GgufBuilder& b) {
        b.number("gemma3.attention.sliding_window", 16U);
        b.number("gemma3.rope.freq_base_swa", 300.0F);
        const std::string flags("\1\0\1\1\1\1", 6);
        b.entry("gemma3.attention.sliding_window_pattern", 9,
                bytesOf(7U) + bytesOf<std::uint64_t>(6) + flags);
    }));
    for (std::int64_t layer = 0; layer < 6; ++layer) {
        QVERIFY(gemma3.layer(layer).window.has_value() == (layer != 1));
        QCOMPARE(gemma3.layer(layer).rope.theta, layer == 1 ? 5000.0 : 300.0);
    }
    QVERIFY(!gemma3.attentionScale && gemma3.logitCap == 0.0);
    const ModelConfig without = configOf(decoderWith("gemma3", 2));
    QVERIFY(!without.window && without.layerSettings.empty());
    const ModelConfig gemma2 = configOf(decoderWith(
        "gemma2", 46, [](GgufBuilder& b) { b.number("gemma2.attention.key_length", 64U); }));
    QCOMPARE(gemma2.softCap, 50.0);
    QCOMPARE(gemma2.logitCap, 30.0);
    QVERIFY(gemma2.layer(0).window == 4096 && !gemma2.layer(1).window);
    QVERIFY(gemma2.attentionScale == 1.0 / std::sqrt(256.0 / 8.0)); // 27B: not 1 / sqrt(64)
    const ModelConfig granite = configOf(
        decoderWith("granite", 2, [](GgufBuilder& b) { b.number("granite.logit_scale", 8.0F); }));
    QCOMPARE(granite.headScale, 0.125);
    QVERIFY(granite.residualScale == 1.0 && granite.embeddingScale == 1.0);
}

void TstGgufModel::whatFamiliesDoNotFitIsRefused_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* architecture, const char* key, int type, const std::string& raw,
                        const char* reported) {
        QTest::addRow("%s.%s: %s", architecture, key, reported)
            << QString(architecture) << QString("%1.%2").arg(architecture, key)
            << QByteArray::fromStdString(raw) << type << QString(reported);
    };
    const auto list = [](unsigned type, const std::string& values) {
        return bytesOf(type) + bytesOf<std::uint64_t>(values.size()) + values;
    };
    constexpr const char* kPattern = "attention.sliding_window_pattern";
    row("gemma2", kPattern, 4, bytesOf(0U), "A positive number was expected");
    row("gemma2", kPattern, 9, list(7, std::string(1, '\1')), "A list of 2 BOOL was expected");
    row("gemma2", kPattern, 9, list(0, std::string(2, '\1')), "A list of 2 BOOL was expected");
    row("gemma2", "attn_logit_softcapping", 6, bytesOf(std::nanf("")), "is nan");
    row("olmo2", "attention.sliding_window", 4, bytesOf(8U), "Models with windows");
    row("smollm3", "expert_count", 4, bytesOf(8U), "Models with experts");
    row("gemma", "attention.scale", 6, bytesOf(0.5F), "a separate scale for the scores");
    row("granite", "logit_scale", 6, bytesOf(0.0F), "Use a number above 0");
    row("granite", "logit_scale", 6, bytesOf(std::nanf("")), "Use a number above 0");
    row("granite", "rope.scaling.finetuned", 7, std::string(1, '\0'), "Use true");
    row("qwen3moe", "expert_count", 4, bytesOf(8U), "qwen3moe.expert_used_count");
    row("qwen3moe", "expert_gating_func", 4, bytesOf(2U), "Only 1 is supported");
}

void TstGgufModel::whatFamiliesDoNotFitIsRefused()
{
    QFETCH(const QString, architecture);
    QFETCH(const QString, key);
    QFETCH(const QByteArray, value);
    QFETCH(const int, type);
    QFETCH(const QString, reported);
    const GgufBuilder builder = decoderWith(architecture.toStdString(), 2, [&](GgufBuilder& b) {
        b.entry(key.toStdString(), static_cast<std::uint32_t>(type), value.toStdString());
        if (architecture == "qwen3moe" && !key.endsWith("expert_count"))
            b.number("qwen3moe.expert_count", 8U).number("qwen3moe.expert_used_count", 2U);
        if (architecture == "granite" && !key.endsWith("logit_scale"))
            b.number("granite.logit_scale", 8.0F);
    });
    const QString got = QString::fromStdString(refusal(builder));
    QVERIFY2(got.contains(reported), qPrintable(got));
    QVERIFY2(got.contains("m.gguf"), qPrintable(got));
}

void TstGgufModel::whatDoesNotFitIsRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* key, int type, const std::string& raw, const char* reported) {
        QTest::addRow("%s: %s", key, reported)
            << QString(key) << QByteArray::fromStdString(raw) << type << QString(reported);
    };
    const auto u32 = [&](const char* key, std::uint32_t value, const char* reported) {
        row(key, 4, bytesOf(value), reported);
    };
    row("general.architecture", 8, ggufText("mamba"),
        "Supported: falcon, gemma, gemma2, gemma3, gpt2, gpt-oss, granite");
    u32("general.architecture", 1, "general.architecture is 1");
    u32("llama.block_count", 0x7FFFFFFFU, "llama.block_count is 2147483647");
    row("llama.block_count", 11, bytesOf(std::int64_t{-1}), "n_layers is -1");
    row("llama.block_count", 10, bytesOf(~std::uint64_t{0}), "below 2^63");
    row("llama.block_count", 8, ggufText("2"), "llama.block_count is \"2\"");
    u32("llama.embedding_length", 0, "llama.embedding_length is 0");
    u32("llama.attention.head_count", 0, "llama.attention.head_count is 0");
    u32("llama.attention.head_count", 5, "n_heads");
    u32("llama.attention.head_count_kv", 0, "llama.attention.head_count_kv is 0");
    u32("llama.attention.head_count_kv", 9, "from 1 to 8 was expected");
    u32("llama.attention.head_count_kv", 3, "n_kv_heads");
    row("llama.attention.head_count_kv", 9,
        bytesOf(5U) + bytesOf<std::uint64_t>(2) + bytesOf(2) + bytesOf(4), "the same number");
    row("llama.attention.head_count_kv", 9, bytesOf(5U) + bytesOf<std::uint64_t>(0),
        "A whole number");
    u32("llama.rope.dimension_count", 31, "An even number up to 32");
    u32("llama.rope.dimension_count", 0, "An even number up to 32");
    u32("llama.rope.dimension_count", 64, "An even number up to 32");
    u32("llama.attention.value_length", 16, "Only 32 is supported");
    u32("llama.expert_count", 8, "llama.expert_used_count");
    u32("llama.vocab_size", 47, "has 48 rows");
    row("llama.attention.layer_norm_rms_epsilon", 6, bytesOf(std::nanf("")), "norm_epsilon is nan");
    row("llama.rope.freq_base", 6, bytesOf(0.0F), "theta");
    row("llama.rope.scaling.type", 8, ggufText("longrope"), "Supported: none, linear, yarn");
    row("tokenizer.ggml.tokens", 9,
        bytesOf(8U) + bytesOf<std::uint64_t>(2) + ggufText("a") + ggufText("b"), "has 48 rows");
    u32("llama.context_length", 0, "max_len is 0");
}

void TstGgufModel::whatDoesNotFitIsRefused()
{
    QFETCH(const QString, key);
    QFETCH(const QByteArray, value);
    QFETCH(const int, type);
    QFETCH(const QString, reported);
    // Keys are unique, so the right value is left out where a wrong one is put in.
    const ModelConfig config = ggufTestConfig("llama");
    const std::string prefix = "llama.";
    GgufBuilder builder;
    const std::vector<std::pair<std::string, std::uint32_t>> right{
        {"block_count", 2},           {"context_length", 32},      {"embedding_length", 256},
        {"feed_forward_length", 512}, {"attention.head_count", 8}, {"attention.head_count_kv", 2},
        {"rope.dimension_count", 32}};
    for (const auto& [name, number] : right)
        if (prefix + name != key.toStdString())
            builder.number(prefix + name, number);
    if (key != "general.architecture")
        builder.text("general.architecture", "llama");
    if (key != "llama.attention.layer_norm_rms_epsilon")
        builder.number("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    builder.entry(key.toStdString(), static_cast<std::uint32_t>(type), value.toStdString());
    addGgufTensors(builder, "llama", config, randomStored(config, BlockFormat::F32, 3));
    const QString got = QString::fromStdString(refusal(builder));
    QVERIFY2(got.contains(reported), qPrintable(got));
    QVERIFY2(got.contains("m.gguf"), qPrintable(got));
}

void TstGgufModel::tensorsThatDoNotFitAreNamed()
{
    const ModelConfig config = ggufTestConfig("llama");
    const auto stored = randomStored(config, BlockFormat::F32, 3);
    const auto says = [&](const std::function<void(GgufBuilder&)>& change, const char* reported,
                          bool complete = true) {
        GgufBuilder builder = ggufMetadata("llama", config);
        if (complete)
            addGgufTensors(builder, "llama", config, stored);
        change(builder);
        const std::string got = refusal(builder);
        if (got.find(reported) == std::string::npos)
            qWarning("%s", got.c_str());
        return got.find(reported) != std::string::npos;
    };
    const std::string zeros(48 * 256 * 4, '\0');
    QVERIFY(says([](GgufBuilder&) {}, "llama.block_count is 2", false));
    QVERIFY(says([](GgufBuilder& b) { b.tensor("a", {1}, 0, "1234").tensor("b", {1}, 0, "1234"); },
                 "\"token_embd.weight\" was expected", false));
    QVERIFY(says(
        [&](GgufBuilder& b) {
            b.tensor("token_embd.weight", {48, 256}, 0, zeros).tensor("a", {1}, 0, "1234");
        },
        "\"blk.0.attn_norm.weight\" is missing, and ", false));
    QVERIFY(says([](GgufBuilder& b) { b.tensor("blk.0.attn_q_norm.weight", {1}, 0, "1234"); },
                 "\"blk.0.attn_q_norm.weight\" is not part of any known llama"));
    QVERIFY(
        says([](GgufBuilder& b) { b.tensor("blk.0.attn_q.bias", {3}, 0, std::string(12, '\0')); },
             "\"blk.0.attn_q.bias\" has the shape [3], but [256] was expected"));
    std::vector<StoredParameter> broken = stored;
    Tensor gains(Shape{256});
    gains.data()[7] = std::nanf("");
    const std::vector<ParameterSpec> specs = parameterLayout(config);
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (specs[i].name == "ln_f.weight")
            broken[i] = storedFloats(gains);
    GgufBuilder builder = ggufMetadata("llama", config);
    addGgufTensors(builder, "llama", config, broken);
    QVERIFY(refusal(builder).find("\"output_norm.weight\" contains a non-finite number at "
                                  "index 7") != std::string::npos);
    // A format that is known by name alone.
    GgufBuilder other = ggufMetadata("gpt2", ggufTestConfig("gpt2"));
    other.tensor("token_embd.weight", {48, 64}, 28, std::string(48 * 64 * 8, '\0'));
    other.tensor("output_norm.weight", {64}, 0, std::string(64 * 4, '\0'));
    QVERIFY(refusal(other).find("stored as F64, which is not supported") != std::string::npos);
}

void TstGgufModel::theVocabularyIsHandedOn()
{
    GgufBuilder builder;
    builder.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "smollm");
    builder.texts("tokenizer.ggml.tokens", {"a", "b", "ab"});
    builder.array<std::int32_t>("tokenizer.ggml.token_type", 5, {1, 1, 3});
    builder.array<float>("tokenizer.ggml.scores", 6, {0.0F, -1.0F, -2.5F});
    builder.texts("tokenizer.ggml.merges", {"a b"});
    builder.number("tokenizer.ggml.bos_token_id", 1U).number("tokenizer.ggml.eos_token_id", 2U);
    builder.number("tokenizer.ggml.seperator_token_id", 0U);
    builder.flag("tokenizer.ggml.add_bos_token", false);
    builder.array<std::uint8_t>("tokenizer.ggml.precompiled_charsmap", 0, {1, 255});
    const std::string bytes = builder.bytes();
    const StoredVocabulary got =
        ggufVocabulary(GgufFile::fromMemory(std::as_bytes(std::span(bytes)), "m.gguf"));
    QCOMPARE(got.model, std::string("gpt2"));
    QCOMPARE(got.pre, std::string("smollm"));
    QCOMPARE(got.tokens, (std::vector<std::string>{"a", "b", "ab"}));
    QCOMPARE(got.types, (std::vector<std::int32_t>{1, 1, 3}));
    QCOMPARE(got.scores, (std::vector<float>{0.0F, -1.0F, -2.5F}));
    QCOMPARE(got.merges, (std::vector<std::string>{"a b"}));
    QVERIFY(got.bos == 1 && got.eos == 2 && got.separator == 0 && !got.unknown && !got.mask);
    QVERIFY(got.addBos == false && !got.addEos && !got.addSpacePrefix);
    QCOMPARE(got.charsMap, std::string("\x01\xff"));
}

HEADSCOPE_TEST(TstGgufModel)
#include "tst_gguf_model.moc"
