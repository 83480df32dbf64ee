// labels: golden
#include "core/base/atomic_write.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_family.h"
#include "core/io/hugging_face/coverage.h"
#include "core/io/hugging_face/hugging_face_family.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>

using namespace headscope;
using namespace headscope::test;

namespace {

bool contains(const std::vector<std::string>& texts, const std::string& part)
{
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

} // namespace

class TstCoverage : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyReadsItsTypicalModel();
    void mechanismsAreThoseOfTheConfiguration_data();
    void mechanismsAreThoseOfTheConfiguration();
    void unknownModelsSayWhatIsMissing_data();
    void unknownModelsSayWhatIsMissing();
};

void TstCoverage::everyFamilyReadsItsTypicalModel()
{
    const std::vector<ArchitectureCoverage> known = architectureCoverage();
    const auto families = huggingFaceFamilies();
    QVERIFY(std::ssize(known) >= std::ssize(families));
    for (const HuggingFaceFamily* family : families) {
        const auto found =
            std::ranges::find(known, family->modelType, &ArchitectureCoverage::architecture);
        QVERIFY(found != known.end() && found->huggingFace && found->mechanisms.size() >= 4);
    }
    const auto gpt2 = std::ranges::find(known, "gpt2", &ArchitectureCoverage::architecture);
    QVERIFY(gpt2->gguf);
    const auto gemma3 =
        std::ranges::find(known, "gemma3_text", &ArchitectureCoverage::architecture);
    QVERIFY(gemma3->gguf && gemma3->huggingFace); // "gemma3" in GGUF files
    QCOMPARE(std::ranges::count_if(known, &ArchitectureCoverage::gguf), std::ssize(ggufFamilies()));
}

void TstCoverage::mechanismsAreThoseOfTheConfiguration_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("uses");
    const auto add = [](const char* name, const QStringList& uses) {
        QTest::newRow(name) << name << uses;
    };
    add("qwen3_moe", {"QK-norm per head", "2 of 4 experts in 2 of 3 layers", "not normalised"});
    add("gemma3", {"window of 4 in 3 of 4 layers", "2 rotary bases", "before and after sublayers"});
    add("gemma2", {"capped scores", "capped logits", "factor of embeddings"});
    add("olmo2", {"on sublayer outputs", "QK-norm over all heads"});
    add("falcon", {"multi-query attention", "parallel block behind one norm"});
    add("gpt_oss", {"attention sinks", "clamped SwiGLU", "router bias", "YaRN"});
    add("smollm3", {"no positions in 1 of 3 layers"});
    add("stablelm", {"partial rotation", "QK-norm with a gamma for each head"});
    add("granite", {"factor of residuals", "factor of logits", "factor of scores"});
    add("phi3", {"LongRoPE", "window of 5"});
    add("marian", {"sines and cosines", "SiLU", "bias of logits"});
}

void TstCoverage::mechanismsAreThoseOfTheConfiguration()
{
    QFETCH(const QString, name);
    QFETCH(const QStringList, uses);
    const ConfigCoverage found = configCoverage(goldenDir() / "hf" / name.toStdString());
    QVERIFY(found.missing.empty());
    for (const QString& part : uses)
        QVERIFY2(contains(found.mechanisms, part.toStdString()), qPrintable(part));
}

void TstCoverage::unknownModelsSayWhatIsMissing_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<QStringList>("missing");
    const auto add = [](const char* name, const char* config, const QStringList& missing) {
        QTest::newRow(name) << config << missing;
    };
    add("mamba", R"({"model_type": "mamba", "state_size": 16})",
        {"a reader of \"mamba\" models", "state-space layers"});
    add("deepseek", R"({"model_type": "deepseek_v3", "kv_lora_rank": 512, "n_shared_experts": 1})",
        {"latent attention", "shared experts"});
    add("hybrid", R"({"model_type": "qwen3_next", "layer_types": ["linear_attention"]})",
        {"layers of \"linear_attention\""});
    add("activation", R"({"model_type": "x", "hidden_act": "relu2"})",
        {"the activation \"relu2\" (hidden_act)"});
    add("not quantised", R"({"model_type": "x", "quantization_config": null})",
        {"a reader of \"x\" models"});
    add("no type", R"({"vision_config": {"a": 1}})", {"a model_type", "images"});
    add("refused", R"({"model_type": "llama"})", {"llama: \"hidden_size\" is missing"});
}

void TstCoverage::unknownModelsSayWhatIsMissing()
{
    QFETCH(const QString, config);
    QFETCH(const QStringList, missing);
    const QTemporaryDir folder;
    const std::filesystem::path path = (folder.path() + "/config.json").toStdString();
    writeAtomically(path, config.toStdString());
    const ConfigCoverage found = configCoverage(path);
    QVERIFY(found.mechanisms.empty());
    for (const QString& part : missing)
        QVERIFY2(contains(found.missing, part.toStdString()), qPrintable(part));
    QVERIFY(!contains(found.missing, "quantised weights")); // nobody asks for them
    QCOMPARE(configCoverage(folder.path().toStdString()).missing, found.missing);
}

HEADSCOPE_TEST(TstCoverage)
#include "tst_coverage.moc"
