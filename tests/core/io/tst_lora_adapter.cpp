// labels: golden
#include "core/attention/cpu_attention.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/adapters/lora_files.h"
#include "core/io/open_model.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/model/edits/adapter_edit.h"
#include "core/model/weights/lazy_parameters.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/golden.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr Tolerance kTolerance{2e-4, 2e-4};

fs::path adapterPath(const std::string& name)
{
    return goldenDir() / "lora" / name;
}

LoadedModel opened(const fs::path& path)
{
    Progress progress;
    return path.extension() == ".gguf" ? openGgufModel(path, progress).model
                                       : openHuggingFaceModel(path, progress).model;
}

LoadedModel baseOf(const std::string& name)
{
    return opened(goldenDir() / "hf" / name);
}

std::shared_ptr<const Model> adapted(const LoadedModel& base, const fs::path& adapter)
{
    return editedWithAdapters(base, {adapterEdit(adapter.string())}, {});
}

/// Logits of every row of in.ids.
std::vector<float> logitsOf(const Model& model, const GoldenFile& golden)
{
    const std::vector<std::int64_t> ids = golden.integers("in.ids");
    const auto tokens = static_cast<std::size_t>(golden.shape("in.ids")[1]);
    std::vector<float> logits;
    for (std::size_t begin = 0; begin < ids.size(); begin += tokens) {
        const std::vector<TokenId> row(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                       ids.begin() + static_cast<std::ptrdiff_t>(begin + tokens));
        CpuAttention backend;
        KvCache cache(model.config());
        const Tensor result = model.forward(row, backend, cache);
        logits.insert(logits.end(), result.values().begin(), result.values().end());
    }
    return logits;
}

/// A copy of an adapter that a test may damage.
class Copy
{
public:
    explicit Copy(const std::string& name)
    {
        fs::copy(adapterPath(name), path(), fs::copy_options::recursive);
        const fs::path config = path() / "adapter_config.json";
        m_config = parseJson(readFile(config, 1 << 20), config.string());
        const SafetensorsFile file = SafetensorsFile::open(path() / "adapter_model.safetensors");
        for (const auto& [tensor, stored] : file.tensors())
            m_tensors.emplace(tensor, stored.toTensor());
    }

    fs::path path() const { return m_folder.path().toStdString(); }

    Json& config() { return m_config; }

    std::map<std::string, Tensor>& tensors() { return m_tensors; }

    Tensor& tensor(const std::string& end)
    {
        for (auto& [name, values] : m_tensors)
            if (name.ends_with(end))
                return values;
        throw Error("no such tensor", end);
    }

    void write() const
    {
        writeAtomically(path() / "adapter_config.json", dumpJson(m_config));
        fs::remove(path() / "adapter_model.safetensors");
        SafetensorsWriter writer;
        for (const auto& [name, values] : m_tensors)
            writer.add(name, values.view());
        writer.write(path() / "adapter_model.safetensors");
    }

    std::string refusal(const LoadedModel& base) const
    {
        write();
        try {
            adapted(base, path());
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private:
    QTemporaryDir m_folder;
    Json m_config;
    std::map<std::string, Tensor> m_tensors;
};

using Damage = std::function<void(Copy&)>;

std::string floats(std::size_t count)
{
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
        bytes += bytesOf(0.25F);
    return bytes;
}

/// A GGUF adapter of rank 2 for blk.0.attn_v of granite: 32 inputs, 16 outputs.
GgufBuilder smallAdapter()
{
    GgufBuilder builder;
    builder.text("general.type", "adapter")
        .text("general.architecture", "granite")
        .text("adapter.type", "lora")
        .number("adapter.lora.alpha", 4.0F);
    return builder;
}

} // namespace

Q_DECLARE_METATYPE(Damage)

class TstLoraAdapter : public QObject
{
    Q_OBJECT

private slots:

    void logitsAreThoseOfPeft_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"gpt2", "llama", "gpt_neox", "granite"})
            QTest::newRow(name) << QString(name);
    }

    void logitsAreThoseOfPeft()
    {
        QFETCH(const QString, name);
        const std::string model = name.toStdString();
        const GoldenFile golden("lora/" + model + ".expected.safetensors");
        const LoadedModel base = baseOf(model);
        const auto result = adapted(base, adapterPath(model));
        HS_COMPARE(logitsOf(*result, golden), golden.expected("out.logits"), kTolerance);
        QVERIFY(!mismatch(logitsOf(*base.model, golden), golden.expected("out.logits"), kTolerance)
                     .empty());
    }

    void aGgufModelTakesBothKinds()
    {
        const GoldenFile golden("lora/granite.expected.safetensors");
        const LoadedModel base = opened(goldenDir() / "gguf" / "granite.gguf");
        for (const char* const name : {"granite", "granite.gguf"})
            HS_COMPARE(logitsOf(*adapted(base, adapterPath(name)), golden),
                       golden.expected("out.logits"), kTolerance);
    }

    void onlyNamedMatricesAreCopied()
    {
        const LoadedModel base = baseOf("granite");
        const auto result = adapted(base, adapterPath("granite"));
        const LazyParameters& before = *base.model->parameters().stored();
        const LazyParameters& after = *result->parameters().stored();
        const auto& specs = base.model->parameters().specs();
        int copied = 0;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const bool isSame = before.parameter(i).bytes.data() == after.parameter(i).bytes.data();
            copied += isSame ? 0 : 1;
            const bool isNamed = specs[i].name.find(".attn.") != std::string::npos ||
                                 specs[i].name.find(".down.") != std::string::npos;
            QVERIFY2(isSame || (isNamed && specs[i].name.ends_with(".weight")),
                     specs[i].name.c_str());
        }
        QCOMPARE(copied, 10); // q, k, v, o and down of two layers
        QCOMPARE(before.unpackedBytes(), std::size_t{0});
    }

    void aFileInTheFolderWillDo()
    {
        const LoadedModel base = baseOf("granite");
        const LoraAdapter adapter =
            loadLoraAdapter(adapterPath("granite") / "adapter_model.safetensors", base);
        QCOMPARE(adapter.updates.size(), std::size_t{10});
        for (const LoraUpdate& update : adapter.updates)
            QCOMPARE(update.scale, 2.0); // 4 / 2
    }

    void editsAndAdaptersAreAppliedInOrder()
    {
        const LoadedModel base = baseOf("granite");
        const std::vector<WeightEdit> edits{
            parseWeightEdit("blocks.0.attn.W_V*=0"), adapterEdit(adapterPath("granite").string()),
            parseWeightEdit("blocks.0.attn.W_V*=2"), parseWeightEdit("blocks.1.attn.W_V*=0")};
        const auto result = editedWithAdapters(base, edits, {});
        QCOMPARE(result->edits().size(), edits.size());
        QVERIFY(result->edits() == edits);
        const LoraAdapter adapter = loadLoraAdapter(adapterPath("granite"), base);
        const auto update =
            std::ranges::find(adapter.updates, "h.0.attn.v.weight", &LoraUpdate::parameter);
        const TensorView value = result->parameters().view("h.0.attn.v.weight");
        double expected = 0.0;
        for (std::int64_t k = 0; k < update->right.shape()[0]; ++k)
            expected += 2.0 * update->scale * double{update->left.view()(3, k)} *
                        double{update->right.view()(k, 5)};
        QVERIFY(std::abs(double{value(3, 5)} - expected) < 1e-5);
        QCOMPARE(result->parameters().view("h.1.attn.v.weight")(3, 5), 0.0F);
        QCOMPARE(editedWithAdapters(base, {}, {}), base.model);
    }

    void anEditNamesItsAdapter()
    {
        const WeightEdit edit = parseWeightEdit("adapter=@some/folder");
        QVERIFY(isAdapter(edit));
        QVERIFY(edit == adapterEdit("some/folder"));
        QCOMPARE(toString(edit), std::string("adapter=@some/folder"));
        QVERIFY(weightEditFromJson(toJson(edit), "test") == edit);
        QVERIFY(!isAdapter(parseWeightEdit("adapter[3]=@some/folder")));
        QVERIFY(!isAdapter(parseWeightEdit("W_E=@some/folder")));
    }

    // ------------------------------------------------------------------------------------ refusals

    void damagedAdaptersAreRefused_data()
    {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, Damage damage, const char* reported) {
            QTest::newRow(name) << damage << QString(reported);
        };
        const auto setting = [&row](const char* key, const Json& value, const char* reported) {
            row(
                key, [key, value](Copy& copy) { copy.config()[key] = value; }, reported);
        };
        setting("use_dora", true, "DoRA");
        setting("peft_type", "IA3", "Only LoRA");
        setting("bias", "all", "biases");
        setting("modules_to_save", Json{"lm_head"}, "modules_to_save");
        setting("init_lora_weights", "pissa_niter_4", "convert");
        setting("r", 1 << 30, "but 1073741824 is configured");
        setting("r ", 2, ""); // unknown keys are PEFT's own business
        setting("lora_alpha", "four", "lora_alpha");
        setting("use_rslora", 1, "use_rslora");
        setting("rank_pattern", Json{{"q_proj", 0}}, "rank_pattern");
        setting("alpha_pattern", Json{{"layers\\.[01].*", 2}}, "Regular expressions");
        row(
            "no r", [](Copy& copy) { copy.config().erase("r"); }, "r is missing");
        row(
            "r of zero", [](Copy& copy) { copy.config()["r"] = 0; }, "from 1 on");
        row(
            "not an object", [](Copy& copy) { copy.config() = Json::array(); }, "JSON object");
        row(
            "no B",
            [](Copy& copy) {
                std::erase_if(copy.tensors(), [](const auto& entry) {
                    return entry.first.ends_with("layers.1.self_attn.v_proj.lora_B.weight");
                });
            },
            "has no matrix lora_B");
        row(
            "other inputs",
            [](Copy& copy) {
                copy.tensor("layers.0.self_attn.v_proj.lora_A.weight") = Tensor(Shape{2, 31});
            },
            "has 31 inputs");
        row(
            "other outputs",
            [](Copy& copy) {
                copy.tensor("layers.0.self_attn.v_proj.lora_B.weight") = Tensor(Shape{17, 2});
            },
            "17 outputs");
        row(
            "A and B apart",
            [](Copy& copy) {
                copy.tensor("layers.0.self_attn.v_proj.lora_B.weight") = Tensor(Shape{16, 3});
            },
            "do not fit");
        row(
            "a convolution",
            [](Copy& copy) {
                copy.tensor("layers.0.self_attn.v_proj.lora_A.weight") = Tensor(Shape{2, 32, 1});
            },
            "3 axes");
        row(
            "not finite",
            [](Copy& copy) {
                copy.tensor("layers.0.self_attn.v_proj.lora_A.weight").data()[3] =
                    std::numeric_limits<float>::quiet_NaN();
            },
            "not finite");
        row(
            "unknown module",
            [](Copy& copy) {
                copy.tensors().emplace("base_model.model.model.layers.9.mlp.fc9.lora_A.weight",
                                       Tensor(Shape{2, 32}));
                copy.tensors().emplace("base_model.model.model.layers.9.mlp.fc9.lora_B.weight",
                                       Tensor(Shape{32, 2}));
            },
            "no weights of its own for \"model.layers.9.mlp.fc9\"");
        row(
            "other tensors",
            [](Copy& copy) {
                copy.tensors().emplace("lm_head.weight", Tensor(Shape{2, 2}));
            },
            "is no LoRA matrix");
        row(
            "nothing", [](Copy& copy) { copy.tensors().clear(); }, "without updates");
    }

    void damagedAdaptersAreRefused()
    {
        QFETCH(const Damage, damage);
        QFETCH(const QString, reported);
        static const LoadedModel base = baseOf("granite");
        Copy copy("granite");
        QCOMPARE(copy.refusal(base), std::string());
        damage(copy);
        const std::string refusal = copy.refusal(base);
        QCOMPARE(refusal.empty(), reported.isEmpty());
        QVERIFY2(refusal.find(reported.toStdString()) != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find('\n') == std::string::npos, refusal.c_str());
    }

    void tiedEmbeddingsAreRefused()
    {
        Copy copy("gpt2");
        copy.tensors().clear();
        copy.tensors().emplace("base_model.model.transformer.wte.lora_embedding_A",
                               Tensor(Shape{3, 512}));
        copy.tensors().emplace("base_model.model.transformer.wte.lora_embedding_B",
                               Tensor(Shape{32, 3}));
        const std::string refusal = copy.refusal(baseOf("gpt2"));
        QVERIFY2(refusal.find("tied embeddings") != std::string::npos, refusal.c_str());
    }

    void otherModelsAreRefused()
    {
        const auto refusal = [](const LoadedModel& base, const std::string& adapter) {
            try {
                adapted(base, adapterPath(adapter));
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        QVERIFY(refusal(baseOf("granite"), "gpt2").find("no weights") != std::string::npos);
        QVERIFY(refusal(baseOf("granite"), "llama").find("here") != std::string::npos);
        QVERIFY(refusal(baseOf("granite"), "granite.gguf").find("GGUF file") != std::string::npos);
        QVERIFY(refusal(opened(goldenDir() / "gguf" / "qwen3.gguf"), "granite.gguf")
                    .find("\"granite\"") != std::string::npos);
        QVERIFY(refusal(baseOf("granite"), "none").find("no such adapter") != std::string::npos);
        QVERIFY(refusal(smallModel(), "granite").find("neither") != std::string::npos);
    }

    // ---------------------------------------------------------------------------------------- GGUF

    void damagedGgufAdaptersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const GgufBuilder& builder, const char* reported) {
            QTest::newRow(name) << QByteArray::fromStdString(builder.bytes()) << QString(reported);
        };
        constexpr std::uint32_t kF32 = 0;
        const std::string a = "blk.0.attn_v.weight.lora_a";
        const std::string b = "blk.0.attn_v.weight.lora_b";
        row("whole",
            smallAdapter()
                .tensor(a, {2, 32}, kF32, floats(64))
                .tensor(b, {16, 2}, kF32, floats(32)),
            "");
        row("no b", smallAdapter().tensor(a, {2, 32}, kF32, floats(64)), "no matrix lora_b");
        row("no pairs", smallAdapter(), "without updates");
        row("apart",
            smallAdapter()
                .tensor(a, {2, 32}, kF32, floats(64))
                .tensor(b, {16, 1}, kF32, floats(16)),
            "do not fit");
        row("other outputs",
            smallAdapter()
                .tensor(a, {2, 32}, kF32, floats(64))
                .tensor(b, {15, 2}, kF32, floats(30)),
            "15 outputs");
        row("other names", smallAdapter().tensor("blk.0.attn_v.weight", {2, 32}, kF32, floats(64)),
            "is no LoRA matrix");
        row("unknown module",
            smallAdapter()
                .tensor("blk.7.attn_v.weight.lora_a", {2, 32}, kF32, floats(64))
                .tensor("blk.7.attn_v.weight.lora_b", {16, 2}, kF32, floats(32)),
            "no weights of its own");
        GgufBuilder model;
        model.text("general.architecture", "granite").tensor("x", {4}, kF32, floats(4));
        row("a model", model, "is no adapter");
        GgufBuilder other;
        other.text("general.type", "adapter")
            .text("general.architecture", "granite")
            .text("adapter.type", "control_vector");
        row("other kinds", other, "Only LoRA");
    }

    void damagedGgufAdaptersAreRefused()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, reported);
        static const LoadedModel base = opened(goldenDir() / "gguf" / "granite.gguf");
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "adapter.gguf";
        writeAtomically(path, bytes.toStdString());
        std::string refusal;
        try {
            adapted(base, path);
        } catch (const Error& error) {
            refusal = error.what();
        }
        QCOMPARE(refusal.empty(), reported.isEmpty());
        QVERIFY2(refusal.find(reported.toStdString()) != std::string::npos, refusal.c_str());
    }

    void anAlphaOfZeroMeansNoFactor()
    {
        constexpr std::uint32_t kF32 = 0;
        GgufBuilder builder;
        builder.text("general.type", "adapter")
            .text("general.architecture", "granite")
            .text("adapter.type", "lora")
            .number("adapter.lora.alpha", 0.0F)
            .tensor("blk.0.attn_v.weight.lora_a", {2, 32}, kF32, floats(64))
            .tensor("blk.0.attn_v.weight.lora_b", {16, 2}, kF32, floats(32));
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "adapter.gguf";
        writeAtomically(path, builder.bytes());
        const LoadedModel base = opened(goldenDir() / "gguf" / "granite.gguf");
        QCOMPARE(loadLoraAdapter(path, base).updates.at(0).scale, 1.0);
    }
};

HEADSCOPE_TEST(TstLoraAdapter)
#include "tst_lora_adapter.moc"
