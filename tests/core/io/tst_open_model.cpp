// labels: golden
#include "core/io/open_model.h"

#include "core/attention/reference_attention.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/installed_models.h"
#include "tests/support/gguf_models.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

namespace {

namespace fs = std::filesystem;

TracePtr traceOf(const LoadedModel& model)
{
    Tracer tracer(model, std::make_unique<ReferenceAttention>());
    return tracer.trace(model.tokenizer->encode("1 2 3 4 5 6"), TraceRequest::forViews());
}

/// Retains queries and keys only.
TracePtr longTraceOf(const LoadedModel& model)
{
    Tracer tracer(model, std::make_unique<ReferenceAttention>());
    TraceRequest request = TraceRequest::forViews();
    request.patternBudget = 0;
    std::string text;
    for (int i = 0; i < model.model->config().maxLen; ++i)
        text += std::to_string(1 + i % 6) + ' ';
    return tracer.trace(model.tokenizer->encode(text), request);
}

} // namespace

class TstOpenModel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void aGgufFileOpensWithItsFacts();
    void aFolderOpensWithItsTokenizer();
    void progressIsToldAndStops();
    void weightsThatNeverLoadedAreWarnedOf();
    void attentionThatIsNotANumberIsWarnedOf();
    void aFileThatChangesMeanwhileIsNoticed();
    void aFileThatIsCutWhileUsedIsNoticed();
    void theAuditIsData();
    void installedModelsAreFound();
    void aFolderIsItsOnlyWeightFile();
    void shardsAreNotFollowedOutOfTheFolder();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstOpenModel::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    writeAtomically(path("llama.gguf"), smallGguf());
}

void TstOpenModel::aGgufFileOpensWithItsFacts()
{
    Progress progress;
    const OpenedModel opened = openGgufModel(path("llama.gguf"), progress);
    QCOMPARE(opened.model.name, path("llama.gguf").string());
    QCOMPARE(opened.model.tokenizer->kind(), std::string_view("ids"));
    QCOMPARE(opened.audit.family, std::string("llama"));
    QCOMPARE(opened.audit.format, std::string("GGUF version 3"));
    QCOMPARE(opened.audit.unusedCount(), std::size_t{0});
    QCOMPARE(opened.audit.countByType().at("Q8_0"), std::int64_t{16});
    QCOMPARE(opened.audit.parameterCount, parameterCount(opened.model.model->config()));
    QVERIFY(opened.audit.warnings.empty());
    LoadAudit audit = opened.audit;
    auditPatterns(audit, *traceOf(opened.model));
    QVERIFY(audit.warnings.empty());
}

void TstOpenModel::aFolderOpensWithItsTokenizer()
{
    const fs::path folder = path("gpt2");
    fs::copy(goldenDir() / "hf" / "gpt2", folder);
    {
        Progress progress;
        const OpenedModel opened = openHuggingFaceModel(folder, progress);
        QCOMPARE(opened.model.tokenizer->kind(), std::string_view("ids"));
        QCOMPARE(opened.audit.tokenizer, std::string("none: texts are entered as ids"));
    }
    fs::copy(goldenDir() / "tokenizers" / "bpe" / "tokenizer.json", folder / "tokenizer.json");
    Progress progress;
    const OpenedModel opened = openHuggingFaceModel(folder, progress);
    QCOMPARE(opened.model.tokenizer->vocabularySize(), std::size_t{512});
    QCOMPARE(opened.audit.tokenizer, std::string("bpe of 512 tokens"));
    QVERIFY(opened.model.tokenizer->encode("hello").size() > 0);
}

void TstOpenModel::progressIsToldAndStops()
{
    std::vector<std::uint64_t> seen;
    Progress progress({}, [&](std::uint64_t done, std::uint64_t total) {
        seen.push_back(done);
        QVERIFY(done <= total);
    });
    openGgufModel(path("llama.gguf"), progress);
    QVERIFY(seen.size() > 5);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QCOMPARE(progress.fraction(), 1.0);
    std::stop_source stop;
    Progress stopped(stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); });
    QVERIFY_THROWS_EXCEPTION(Cancelled, openGgufModel(path("llama.gguf"), stopped));
    QVERIFY(stopped.fraction() < 0.9);
    QVERIFY_THROWS_EXCEPTION(Cancelled, openHuggingFaceModel(goldenDir() / "hf" / "gpt2", stopped));
}

void TstOpenModel::weightsThatNeverLoadedAreWarnedOf()
{
    writeAtomically(path("zero.gguf"), smallGguf(false));
    Progress progress;
    const OpenedModel opened = openGgufModel(path("zero.gguf"), progress);
    QCOMPARE(opened.audit.warnings.size(), std::size_t{1});
    QVERIFY(opened.audit.warnings[0].what.find("the same number throughout "
                                               "\"blk.0.attn_q.weight\"") == 0);
    LoadAudit audit = opened.audit;
    auditPatterns(audit, *traceOf(opened.model));
    QCOMPARE(audit.warnings.size(), std::size_t{2});
    QCOMPARE(audit.warnings[1].what, std::string("nearly uniform attention in 16 of 16 heads"));
    QVERIFY(!audit.warnings[1].advice.empty());
    LoadAudit ofLongText = opened.audit; // of which some rows are read, without computing the rest
    auditPatterns(ofLongText, *longTraceOf(opened.model));
    QCOMPARE(ofLongText.warnings.size(), std::size_t{2});
    QCOMPARE(ofLongText.warnings[1].what, audit.warnings[1].what);
}

void TstOpenModel::attentionThatIsNotANumberIsWarnedOf()
{
    Tensor pattern({2, 100, 100});
    for (std::int64_t query = 0; query < 100; ++query)
        pattern.view()(0, query, 0) = pattern.view()(1, query, query) = 1.0F;
    const auto warnings = [&] {
        const Trace trace({}, {{{Site::Pattern, 0}, std::make_shared<const Tensor>(pattern)}}, {});
        LoadAudit audit;
        auditPatterns(audit, trace);
        return audit.warnings;
    };
    QVERIFY(warnings().empty());
    pattern.view()(1, 99, 5) = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(warnings().size(), std::size_t{1});
    QCOMPARE(warnings()[0].what, std::string("attention weights that are not numbers (NaN)"));
}

void TstOpenModel::aFileThatChangesMeanwhileIsNoticed()
{
    const std::string bytes = smallGguf();
    const std::string padded = bytes + std::string(std::size_t{2} << 20, '\0'); // too large to copy
    writeAtomically(path("large.gguf"), padded);
    bool shortened = false;
    Progress progress({}, [&](std::uint64_t, std::uint64_t) {
        if (!std::exchange(shortened, true))
            fs::resize_file(path("large.gguf"), 4096);
    });
    try {
        openGgufModel(path("large.gguf"), progress);
        QFAIL("it went unnoticed");
    } catch (const FormatError& error) {
        QVERIFY(shortened);
        QVERIFY2(std::string(error.what()).find("has 4096 now") != std::string::npos, error.what());
    }
}

void TstOpenModel::aFileThatIsCutWhileUsedIsNoticed()
{
    const std::string bytes = smallGguf() + std::string(std::size_t{2} << 20, '\0');
    const auto isNoticed = [&](const auto& use) {
        writeAtomically(path("large.gguf"), bytes);
        Progress progress;
        const OpenedModel opened = openGgufModel(path("large.gguf"), progress);
        use(opened.model);
        writeAtomically(path("large.gguf"), bytes); // another file: the open one is whole
        use(openGgufModel(path("large.gguf"), progress).model);
        const OpenedModel cut = openGgufModel(path("large.gguf"), progress);
        fs::resize_file(path("large.gguf"), 4096);
        QVERIFY_THROWS_EXCEPTION(FormatError, use(cut.model));
    };
    isNoticed([](const LoadedModel& model) { traceOf(model); });
    isNoticed([](const LoadedModel& model) { // unpacked on first access
        model.model->parameters().view("head.weight");
    });
}

void TstOpenModel::theAuditIsData()
{
    Progress progress;
    const LoadAudit audit = openGgufModel(path("llama.gguf"), progress).audit;
    const nlohmann::json json = toJson(audit, true);
    QCOMPARE(json.at("heads").get<int>(), 8);
    QCOMPARE(json.at("kv_heads").get<int>(), 2);
    QCOMPARE(json.at("tied").get<bool>(), false);
    QCOMPARE(json.at("types").at("F32").get<int>(), 5);
    QCOMPARE(json.at("tensors").size(), audit.tensors.size());
    QCOMPARE(json.at("tensors")[0].at("name").get<std::string>(), std::string("token_embd.weight"));
    QVERIFY(!toJson(audit, false).contains("tensors"));
    std::map<std::string, std::string> facts;
    for (const auto& [name, text] : factsOf(audit))
        facts[name] = text;
    QCOMPARE(
        facts.at("heads"),
        std::string("8 heads of 32 channels; 4 query heads share each of 2 key and value heads"));
    QCOMPARE(facts.at("output"), std::string("a separate matrix"));
}

void TstOpenModel::installedModelsAreFound()
{
    const fs::path snapshot = path("hub") / "models--some--gpt2" / "snapshots" / "abc";
    fs::create_directories(snapshot);
    fs::copy(goldenDir() / "hf" / "gpt2", snapshot);
    fs::create_directories(path("models") / "deep");
    writeAtomically(path("models") / "deep" / "a.gguf", smallGguf());
    writeAtomically(path("models") / "no-model.gguf", "text");
    fs::create_symlink(path("models") / "deep" / "a.gguf", path("models") / "again.gguf");
    const fs::path package = path("site-packages") / modelRecipes()[0].path;
    fs::create_directories(package.parent_path());
    writeAtomically(package, smallGguf());
    ModelFolders places;
    places.sitePackages = {path("nowhere"), path("site-packages")};
    places.hubCaches = {path("hub"), path("nowhere")};
    places.folders = {path("models"), path("nowhere")};
    const std::vector<InstalledModel> found = installedModels(places);
    QCOMPARE(found.size(), std::size_t{3});
    QCOMPARE(found[0].path, snapshot);
    QCOMPARE(found[0].kind, std::string("Hugging Face"));
    QCOMPARE(found[0].found, std::string("Hugging Face cache"));
    QCOMPARE(found[1].kind, std::string("GGUF"));
    QCOMPARE(found[1].bytes, static_cast<std::uint64_t>(smallGguf().size()));
    QCOMPARE(found[2].path, package);
    QVERIFY(findRecipe(modelRecipes()[0], places) == package);
    QVERIFY(!findRecipe(modelRecipes()[1], places));
}

void TstOpenModel::aFolderIsItsOnlyWeightFile()
{
    const QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(!modelPath(path));
    writeAtomically(path / "notes.txt", "no weights");
    QVERIFY(!modelPath(path));
    writeAtomically(path / "weights.gguf", smallGguf());
    QVERIFY(modelPath(path) == path / "weights.gguf");
    Progress progress;
    QCOMPARE(openModelAt(path, progress).model.name, path.string());
    writeAtomically(path / "more.gguf", smallGguf());
    QVERIFY(!modelPath(path));
}

void TstOpenModel::shardsAreNotFollowedOutOfTheFolder()
{
    const fs::path folder = path("sharded");
    fs::copy(goldenDir() / "hf" / "llama_bf16_sharded", folder);
    fs::path shard;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors")
            shard = entry.path();
    fs::rename(shard, path("elsewhere.safetensors"));
    fs::create_symlink(path("elsewhere.safetensors"), shard);
    Progress progress;
    try {
        openHuggingFaceModel(folder, progress);
        QFAIL("it was followed");
    } catch (const FormatError& error) {
        QVERIFY2(std::string(error.what()).find("is a link to") != std::string::npos, error.what());
    }
    // A download cache keeps the bytes beside its snapshots.
    const fs::path cache = path("models--some--llama");
    fs::create_directories(cache / "blobs");
    fs::remove(shard);
    fs::rename(path("elsewhere.safetensors"), cache / "blobs" / "1234");
    fs::create_directories(cache / "snapshots");
    fs::rename(folder, cache / "snapshots" / "abc");
    fs::create_symlink("../../blobs/1234", cache / "snapshots" / "abc" / shard.filename());
    Progress again;
    openHuggingFaceModel(cache / "snapshots" / "abc", again);
}

HEADSCOPE_TEST(TstOpenModel)
#include "tst_open_model.moc"
