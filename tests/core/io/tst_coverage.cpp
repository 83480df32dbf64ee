// labels: golden
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_family.h"
#include "core/io/hugging_face/coverage.h"
#include "core/io/hugging_face/hugging_face_family.h"
#include "core/io/hugging_face/model_list.h"
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
    void classesBelongToFamilies_data();
    void classesBelongToFamilies();
    void modelsOfAListAreCounted();
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
    add("modernbert", {"attention without a norm in 1 of 3 layers", "window of 4 in 1 of 3 layers",
                       "2 rotary bases", "LayerNorm without bias"});
    add("qwen2_moe", {"shared expert with a gate", "2 of 4 experts in 2 of 3 layers"});
    add("electra_small", {"embeddings of width 12"});
    add("falcon_rw", {"ALiBi", "slopes times the factor of scores"});
    add("opt_post", {"after the residual"});
    add("qwen3_fp8", {"QK-norm per head"});
    add("marian", {"sines and cosines", "SiLU", "bias of logits"});
    add("gptj", {"partial rotation", "parallel block behind one norm", "bias of logits"});
    add("gpt_neo", {"unscaled scores", "window of 4 in 1 of 3 layers", "learned positions"});
    add("mpt", {"LayerNorm without bias", "factor of scores", "ALiBi"});
    add("gpt_bigcode", {"multi-query attention"});
    add("olmoe", {"QK-norm over all heads", "expert weights not normalised"});
    add("cohere2", {"no positions in 1 of 3 layers", "window of 4 in 2 of 3 layers"});
    add("mbart", {"norm of embeddings", "before sublayers", "factor of embeddings"});
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

void TstCoverage::classesBelongToFamilies_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("family"); // empty: none
    const auto add = [](const char* name, const char* family) {
        QTest::newRow(name) << name << family;
    };
    add("GPT2LMHeadModel", "gpt2");
    add("GPTNeoXForCausalLM", "gpt_neox");
    add("GPTNeoForCausalLM", "gpt_neo");
    add("XLMRobertaForMaskedLM", "xlm-roberta");
    add("BertForPreTraining", "bert");
    add("Gemma3ForCausalLM", "gemma3_text");
    add("MarianMTModel", "marian");
    add("T5ForConditionalGeneration", "t5");
    add("MistralModel", "mistral");
    add("Gemma3ForConditionalGeneration", ""); // reads images
    add("BertForCausalLM", "");
    add("BartForCausalLM", "");
    add("BertForSequenceClassification", "");
    add("GPTNeoXJapaneseForCausalLM", "");
    add("MambaForCausalLM", "");
    add("Model", "");
    add("", "");
}

void TstCoverage::classesBelongToFamilies()
{
    QFETCH(const QString, name);
    QFETCH(const QString, family);
    const HuggingFaceFamily* const found = familyOfClass(name.toStdString());
    QCOMPARE(found != nullptr ? QString::fromStdString(std::string(found->modelType)) : QString(),
             family);
}

void TstCoverage::modelsOfAListAreCounted()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = (folder.path() + "/list.json").toStdString();
    const auto read = [&](const char* text) {
        writeAtomically(path, text);
        return modelListCoverage(path);
    };
    const auto found = read(R"({"records": [
        {"model_id": "a", "architecture_id": "MambaForCausalLM"},
        {"model_id": "b", "architecture_id": "GPT2LMHeadModel"},
        {"model_id": "c", "architecture_id": "GPT2LMHeadModel"},
        {"model_id": "b", "architecture_id": "GPT2LMHeadModel"},
        {"model_id": "d", "architectures": ["LlamaForCausalLM"]},
        {"model_id": "e", "architecture_id": 3}, {"model_id": "f"}, 7]})");
    QVERIFY(found.has_value());
    QCOMPARE(found->models, std::int64_t{4});
    QCOMPARE(found->opening, std::int64_t{3});
    QCOMPARE(found->architectures.size(), std::size_t{3});
    QCOMPARE(found->architectures[0].name, std::string("GPT2LMHeadModel"));
    QCOMPARE(found->architectures[0].models, std::int64_t{2});
    QVERIFY(found->architectures[0].opens);
    QVERIFY(!found->architectures[2].opens);
    QCOMPARE(read("[]")->models, std::int64_t{0});
    QVERIFY(!read(R"({"model_type": "llama"})"));
    QVERIFY(!read("3"));
    QVERIFY_EXCEPTION_THROWN(read("{"), FormatError);
}

HEADSCOPE_TEST(TstCoverage)
#include "tst_coverage.moc"
