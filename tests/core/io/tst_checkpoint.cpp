#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/model/config/presets.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <limits>

using namespace headscope;

namespace {

/// A checkpoint taken apart, so that a test can spoil one thing of it.
struct Parts
{
    std::map<std::string, std::string> metadata;
    std::map<std::string, Tensor> tensors;

    nlohmann::json config() const { return nlohmann::json::parse(metadata.at("config")); }

    void setConfig(const std::string& key, const nlohmann::json& value)
    {
        nlohmann::json changed = config();
        changed[key] = value;
        metadata["config"] = changed.dump();
    }
};

Parts takeApart(const std::filesystem::path& path)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    Parts parts{file.metadata(), {}};
    for (const auto& [name, stored] : file.tensors())
        parts.tensors[name] = stored.toTensor();
    return parts;
}

void putTogether(const Parts& parts, const std::filesystem::path& path)
{
    SafetensorsWriter writer;
    for (const auto& [key, value] : parts.metadata)
        writer.setMetadata(key, value);
    for (const auto& [name, tensor] : parts.tensors)
        writer.add(name, tensor.view());
    writer.write(path);
}

} // namespace

using Spoil = std::function<void(Parts&)>;
Q_DECLARE_METATYPE(Spoil)

class TstCheckpoint : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = test::saveTinyModel(m_folder->path().toStdString());
    }

    void aModelComesBackBitForBit()
    {
        const LoadedModel before = test::tinyModel();
        const LoadedModel after = loadCheckpoint(m_path);
        QVERIFY(after.model->config() == before.model->config());
        const auto expected = before.model->parameters().values();
        const auto got = after.model->parameters().values();
        QVERIFY(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
        QCOMPARE(after.name, m_path.string());
        QCOMPARE(after.tokenizer->encode("the cat").ids(),
                 before.tokenizer->encode("the cat").ids());
    }

    void aModelComesFromMemory()
    {
        const MappedFile file(m_path);
        const LoadedModel loaded =
            loadCheckpoint(file.bytes(), test::tinyTokenizerJson(), "builtin:tiny");
        QCOMPARE(loaded.name, std::string("builtin:tiny"));
        QVERIFY(loaded.model->config() == test::tinyModel().model->config());
    }

    void extraMetadataIsKeptAndDoesNotReplaceOurs()
    {
        saveCheckpoint(m_path, *test::tinyModel().model, {{"step", "17"}, {"format", "other"}});
        const Parts parts = takeApart(m_path);
        QCOMPARE(parts.metadata.at("step"), std::string("17"));
        QCOMPARE(parts.metadata.at("format"), std::string("headscope-checkpoint"));
    }

    void theTokenizerOfARunIsFoundOneFolderUp()
    {
        const std::filesystem::path folder = m_path.parent_path() / "checkpoints";
        std::filesystem::create_directory(folder);
        std::filesystem::rename(m_path, folder / "step-1.safetensors");
        QCOMPARE(loadCheckpoint(folder / "step-1.safetensors").tokenizer->vocabularySize(),
                 test::tinyModel().tokenizer->vocabularySize());
    }

    void foreignAndDamagedFilesAreRefusedEachWithItsSentence_data()
    {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const Spoil& spoil, const char* reported) {
            QTest::newRow(name) << spoil << QString(reported);
        };
        row(
            "no metadata", [](Parts& p) { p.metadata.clear(); }, "not a Headscope checkpoint");
        row(
            "another format", [](Parts& p) { p.metadata["format"] = "pt"; },
            "not a Headscope checkpoint");
        row(
            "a trace", [](Parts& p) { p.metadata["format"] = "headscope-trace"; },
            "this is a trace");
        row(
            "a future version", [](Parts& p) { p.metadata["version"] = "2"; },
            "newer version of Headscope");
        row(
            "no configuration", [](Parts& p) { p.metadata.erase("config"); }, "invalid JSON");
        row(
            "configuration that is no object", [](Parts& p) { p.metadata["config"] = "[]"; },
            "object");
        row(
            "unknown key", [](Parts& p) { p.setConfig("d_modle", 8); }, "d_model");
        row(
            "number as a string", [](Parts& p) { p.setConfig("n_layers", "2"); }, "n_layers");
        row(
            "number beyond a double",
            [](Parts& p) { p.metadata["config"] = "{\"init_std\":1e400}"; }, "range of a double");
        row(
            "null", [](Parts& p) { p.setConfig("d_model", nullptr); }, "d_model");
        row(
            "negative width", [](Parts& p) { p.setConfig("d_model", -8); }, "d_model");
        row(
            "a billion layers", [](Parts& p) { p.setConfig("n_layers", 1'000'000'000); },
            "n_layers");
        row(
            "a thousand layers", [](Parts& p) { p.setConfig("n_layers", 1000); }, "1000 layers");
        row(
            "a billion positions", [](Parts& p) { p.setConfig("max_len", 1'000'000'000); },
            "max_len");
        row(
            "heads that do not divide", [](Parts& p) { p.setConfig("n_heads", 3); },
            "\"n_kv_heads\" is 2");
        row(
            "more positions than rows", [](Parts& p) { p.setConfig("max_len", 64); },
            "\"pos_emb.weight\" has the shape [32, 8], but [64, 8] was expected");
        row(
            "a missing tensor", [](Parts& p) { p.tensors.erase("ln_f.bias"); },
            "\"ln_f.bias\" is missing");
        row(
            "an extra tensor", [](Parts& p) { p.tensors["h.2.ln1.bias"] = Tensor({8}); },
            "\"h.2.ln1.bias\" does not belong to this model");
        row(
            "a turned matrix",
            [](Parts& p) {
                p.tensors["h.0.fc1.weight"] = Tensor({8, 16});
            },
            "\"h.0.fc1.weight\" has the shape [8, 16], but [16, 8] was expected");
        row(
            "NaN",
            [](Parts& p) {
                p.tensors["ln_f.weight"].data()[3] = std::numeric_limits<float>::quiet_NaN();
            },
            "\"ln_f.weight\" contains nan at index 3");
        row(
            "infinity",
            [](Parts& p) {
                p.tensors["h.1.attn.k.bias"].data()[0] = -std::numeric_limits<float>::infinity();
            },
            "\"h.1.attn.k.bias\" contains -inf at index 0");
    }

    void foreignAndDamagedFilesAreRefusedEachWithItsSentence()
    {
        QFETCH(Spoil, spoil);
        QFETCH(QString, reported);
        Parts parts = takeApart(m_path);
        spoil(parts);
        putTogether(parts, m_path);
        QVERIFY2(refusal().contains(reported), qPrintable(refusal()));
        QVERIFY2(refusal().contains(QString::fromStdString(m_path.string())),
                 qPrintable(refusal()));
    }

    void anotherTypeOfNumbersIsRefused()
    {
        const std::vector<std::int64_t> integers(8, 1);
        Parts parts = takeApart(m_path);
        parts.tensors.erase("ln_f.bias");
        SafetensorsWriter writer;
        for (const auto& [key, value] : parts.metadata)
            writer.setMetadata(key, value);
        for (const auto& [name, tensor] : parts.tensors)
            writer.add(name, tensor.view());
        writer.add("ln_f.bias", integers, {8});
        writer.write(m_path);
        QVERIFY2(refusal().contains("is stored as I64, but F32 was expected"),
                 qPrintable(refusal()));
    }

    void aTokenizerThatDoesNotFitIsRefused()
    {
        ModelConfig small = test::tinyModel().model->config();
        small.vocabularySize = 100;
        saveCheckpoint(m_path, Model::initialised(small, 1));
        QVERIFY2(refusal().contains("the tokenizer has 270 tokens, but the model has 100"),
                 qPrintable(refusal()));
    }

    void withoutATokenizerTextsAreIds()
    {
        const std::filesystem::path tokenizer = m_path.parent_path() / "tokenizer.json";
        std::filesystem::remove(tokenizer);
        const LoadedModel loaded = loadCheckpoint(m_path);
        QCOMPARE(loaded.tokenizer->kind(), std::string_view("ids"));
        QCOMPARE(static_cast<std::int64_t>(loaded.tokenizer->vocabularySize()),
                 loaded.model->config().vocabularySize);
        QCOMPARE(loaded.tokenizer->encode("3 1 4").ids(), (std::vector<TokenId>{3, 1, 4}));
        writeAtomically(tokenizer, "{}"); // a damaged one is not skipped
        QVERIFY2(refusal().contains("tokenizer.json"), qPrintable(refusal()));
    }

    void separateMatricesOfTheTransformerOf2017StillOpen()
    {
        ModelConfig config = presetConfig("transformer-base");
        config.vocabularySize = 300;
        config.dModel = 16;
        config.heads = 2;
        config.layers = 1;
        config.dFf = 32;
        for (const bool isTied : {true, false}) {
            config.tieEmbeddings = isTied;
            saveCheckpoint(m_path, Model::initialised(config, 1));
            const SafetensorsFile file = SafetensorsFile::open(m_path);
            QCOMPARE(file.contains("enc.tok_emb.weight"), !isTied);
            QCOMPARE(file.contains("head.weight"), !isTied);
            QVERIFY(loadCheckpoint(m_path).model->config() == config);
        }
    }

    void emptyAndMissingFilesAreRefused()
    {
        writeAtomically(m_path, "");
        QVERIFY(refusal().contains("the file has 0"));
        std::filesystem::remove(m_path);
        QVERIFY(refusal().contains("No such file"));
    }

private:
    QString refusal() const
    {
        try {
            loadCheckpoint(m_path);
        } catch (const FormatError& error) {
            return QString::fromStdString(error.what());
        }
        return "accepted";
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_path;
};

HEADSCOPE_TEST(TstCheckpoint)
#include "tst_checkpoint.moc"
