#include "core/analysis/scores/head_measures.h"
#include "core/base/atomic_write.h"
#include "core/io/trace_file.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>

#include <cmath>
#include <limits>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstModelCommands : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_model =
            QString::fromStdString(test::saveTinyModel(m_folder->path().toStdString()).string());
        QVERIFY(QDir(m_folder->path()).mkdir("out"));
        m_out = m_folder->filePath("out/trace.safetensors");
    }

    void aTraceHoldsWhatTheModelDid()
    {
        HS_DONE(trace({"--text", "the cat sat on the mat"}));
        const TracePtr trace = openTraceFile(m_out.toStdString()).trace;
        const auto n = static_cast<std::int64_t>(trace->tokens().size());
        QCOMPARE(trace->tokens().text, std::string("the cat sat on the mat"));
        QCOMPARE(trace->layerCount(), 2);
        for (int layer = 0; layer < 2; ++layer) {
            const TensorView pattern = trace->find({Site::Pattern, layer})->view();
            for (int head = 0; head < 2; ++head) {
                for (std::int64_t query = 0; query < n; ++query) {
                    double sum = 0.0;
                    for (std::int64_t key = 0; key < n; ++key) {
                        sum += static_cast<double>(pattern(head, query, key));
                        if (key > query)
                            QCOMPARE(pattern(head, query, key), 0.0F);
                    }
                    QVERIFY(std::abs(sum - 1.0) < 1e-5);
                }
            }
        }
        QVERIFY(trace->find({Site::Logits, 0}));
    }

    void masksAblationsAndSitesChangeTheTrace()
    {
        HS_DONE(trace({"--ids", "66,67,68", "--mask", "none"}));
        QVERIFY(
            openTraceFile(m_out.toStdString()).trace->find({Site::Pattern, 0})->view()(0, 0, 2) >
            0.0F);
        HS_DONE(trace({"--ids", "66,67,68", "--mask", "window:1"}));
        QCOMPARE(
            openTraceFile(m_out.toStdString()).trace->find({Site::Pattern, 0})->view()(0, 2, 2),
            1.0F);
        writeAtomically(m_folder->filePath("mask.txt").toStdString(), "100\n110\n101\n");
        HS_DONE(trace({"--ids", "66,67,68", "--mask", m_folder->filePath("mask.txt")}));
        const TracePtr painted = openTraceFile(m_out.toStdString()).trace;
        QCOMPARE(painted->find({Site::Pattern, 0})->view()(1, 2, 1), 0.0F);
        QCOMPARE(painted->tokens().ids(), (std::vector<TokenId>{66, 67, 68}));
        HS_DONE(trace({"--ids", "66,67", "--ablate", "L1H0", "--sites", "*.hook_z,logits"}));
        const TracePtr ablated = openTraceFile(m_out.toStdString()).trace;
        QCOMPARE(ablated->activations().size(), std::size_t{3});
        const TensorView context = ablated->find({Site::Z, 1})->view();
        QCOMPARE(context(1, 0, 0), 0.0F);
        QVERIFY(context(1, 1, 0) != 0.0F);
    }

    void awkwardTextsAreTraced_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("spaces") << QString("     ");
        QTest::newRow("emoji") << QString::fromUtf8("\xf0\x9f\x99\x82\xf0\x9f\x98\xb9");
        QTest::newRow("right to left") << QString::fromUtf8("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
        QTest::newRow("longer than the model") << QString("the cat ").repeated(1000);
    }

    void awkwardTextsAreTraced()
    {
        QFETCH(QString, text);
        const Outcome outcome = trace({"--text", text});
        HS_DONE(outcome);
        const std::size_t tokens = openTraceFile(m_out.toStdString()).trace->tokens().size();
        QVERIFY(tokens >= 1 && tokens <= 32);
        QCOMPARE(outcome.err.contains("truncated"), text.size() > 1000);
    }

    void wrongTracesAreRefusedAndLeaveNothing_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("reported");
        const auto row = [](const char* name, const QStringList& arguments, const char* reported) {
            QTest::newRow(name) << arguments << QByteArray(reported);
        };
        row("id outside the vocabulary", {"--ids", "66,100000"}, "100000");
        row("no such head", {"--text", "x", "--ablate", "L9H0"}, "L9H0");
        row("no head", {"--text", "x", "--ablate", "everything"}, "everything");
        row("no such mask", {"--text", "x", "--mask", "casual"}, "casual");
        row("window of nothing", {"--text", "x", "--mask", "window:0"}, "window");
        row("no such site", {"--text", "x", "--sites", "blocks.7.*"}, "blocks.7.*");
    }

    void wrongTracesAreRefusedAndLeaveNothing()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, reported);
        HS_REFUSED(trace(arguments), 1, reported);
        QVERIFY(QDir(m_folder->filePath("out")).entryList(QDir::Files | QDir::Hidden).isEmpty());
    }

    void anUnwritablePlaceIsRefused()
    {
        m_out = m_folder->filePath("none/trace.safetensors");
        HS_REFUSED(trace({"--text", "x"}), 1, "cannot write the file");
        m_out = m_folder->filePath("out");
        HS_REFUSED(trace({"--text", "x"}), 1, "cannot write the file");
    }

    void anEncoderFillsInMaskedWords()
    {
        const QStringList ask{"generate",
                              "--model",
                              "builtin:sentences",
                              "--prompt",
                              "Ben looked under the chair and [MASK] [MASK].",
                              "--temperature",
                              "0",
                              "--json"};
        const Outcome filled = runHeadscope(ask);
        HS_DONE(filled);
        const nlohmann::json result = filled.json();
        QCOMPARE(result["end"].get<std::string>(), std::string("filled"));
        QCOMPARE(result["text"].get<std::string>(),
                 std::string("Ben looked under the chair and found it."));
        QCOMPARE(result["steps"].size(), std::size_t{2});
        for (const nlohmann::json& step : result["steps"]) {
            QVERIFY(result["ids"][step["position"].get<std::size_t>()] == step["id"]);
            QVERIFY(step["candidates"][0]["id"] == step["id"]);
        }
        const Outcome none =
            runHeadscope({"generate", "--model", "builtin:sentences", "--prompt", "Ben"});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains("Write [MASK] in place of a word"), qPrintable(none.err));
    }

    void generationIsRepeatable()
    {
        const QStringList arguments{"--prompt", "the cat", "--max-tokens", "8",
                                    "--seed",   "5",       "--json"};
        const Outcome first = generate(arguments);
        HS_DONE(first);
        QCOMPARE(generate(arguments).out, first.out);
        const nlohmann::json result = first.json();
        const auto prompt = test::tinyModel().tokenizer->encode("the cat").ids();
        const std::size_t steps = result["steps"].size();
        QCOMPARE(result["ids"].size(), prompt.size() + steps);
        QVERIFY(steps >= 1 && steps <= 8);
        for (std::size_t i = 0; i < steps; ++i) {
            const nlohmann::json& step = result["steps"][i];
            QVERIFY(step["id"] == result["ids"][prompt.size() + i]);
            QVERIFY(!step["candidates"].empty());
            double last = 1.0;
            for (const nlohmann::json& candidate : step["candidates"]) {
                QVERIFY(candidate["probability"].get<double>() <= last);
                last = candidate["probability"].get<double>();
            }
        }
    }

    void temperatureZeroTakesTheFirstCandidate()
    {
        const Outcome outcome =
            generate({"--prompt", "the", "--max-tokens", "6", "--temperature", "0", "--json"});
        HS_DONE(outcome);
        const nlohmann::json steps = outcome.json()["steps"];
        for (const nlohmann::json& step : steps)
            QVERIFY(step["id"] == step["candidates"][0]["id"]);
    }

    void topKLeavesKCandidates()
    {
        const Outcome outcome =
            generate({"--prompt", "the", "--max-tokens", "3", "--top-k", "2", "--json"});
        HS_DONE(outcome);
        const nlohmann::json steps = outcome.json()["steps"];
        for (const nlohmann::json& step : steps)
            QCOMPARE(step["candidates"].size(), std::size_t{2});
    }

    void beamsComeWithTheirTree()
    {
        const QStringList arguments{"--prompt", "the cat", "--max-tokens", "4", "--beams", "3"};
        const Outcome outcome = generate(arguments + QStringList{"--json"});
        HS_DONE(outcome);
        const nlohmann::json result = outcome.json();
        const nlohmann::json& tree = result["tree"];
        QVERIFY(!result["beams"].empty() && result["beams"].size() <= 3);
        QVERIFY(result["ids"] == result["beams"][0]["ids"]);
        QVERIFY(result["text"] == result["beams"][0]["text"]);
        double last = std::numeric_limits<double>::infinity();
        for (const nlohmann::json& beam : result["beams"]) {
            QVERIFY(beam["score"].get<double>() <= last);
            last = beam["score"].get<double>();
            double sum = 0.0;
            std::size_t tokens = 0;
            for (int node = beam["node"].get<int>(); node >= 0; ++tokens) {
                const nlohmann::json& described = tree.at(static_cast<std::size_t>(node));
                QVERIFY(described["id"] == beam["ids"][beam["ids"].size() - 1 - tokens]);
                sum += described["log_probability"].get<double>();
                node = described["parent"].get<int>();
            }
            QCOMPARE(tokens, beam["new_tokens"].get<std::size_t>());
            QVERIFY(std::abs(sum - beam["sum"].get<double>()) < 1e-9);
            QVERIFY(std::abs(sum / static_cast<double>(tokens) - last) < 1e-9);
        }
        std::size_t candidates = 0;
        for (const nlohmann::json& step : result["steps"])
            candidates += step["candidates"].size();
        QCOMPARE(candidates, tree.size());
        const Outcome plain = generate(arguments);
        HS_DONE(plain);
        // JSON holds text: bytes that are none, which a random model writes, have become U+FFFD.
        const auto shown = [](const QString& text) { return text.trimmed().remove(QChar(0xFFFD)); };
        QCOMPARE(shown(QString::fromUtf8(plain.out)),
                 shown(QString::fromStdString(result["text"].get<std::string>())));
    }

    void repetitionPenaltyChangesTheText()
    {
        const QStringList arguments{"--prompt",      "the cat", "--max-tokens", "12",
                                    "--temperature", "0",       "--json"};
        const Outcome plain = generate(arguments);
        const Outcome penalised = generate(arguments + QStringList{"--repetition-penalty", "1000"});
        HS_DONE(plain);
        HS_DONE(penalised);
        QVERIFY(plain.json()["ids"] != penalised.json()["ids"]);
    }

    void plainGenerationBeginsWithThePrompt()
    {
        const Outcome outcome = generate({"--prompt", "the cat", "--max-tokens", "3"});
        HS_DONE(outcome);
        QVERIFY(outcome.out.startsWith("the cat"));
        QVERIFY(outcome.out.endsWith('\n'));
    }

    void anEmptyPromptIsContinued()
    {
        const Outcome outcome = generate({"--prompt", "", "--max-tokens", "2", "--json"});
        HS_DONE(outcome);
        QVERIFY(!outcome.json()["steps"].empty());
    }

    void everyHeadIsScored()
    {
        const Outcome outcome = runHeadscope({"inspect", "--model", m_model, "--device", "cpu",
                                              "--text", "the cat the cat", "--json"});
        HS_DONE(outcome);
        const nlohmann::json result = outcome.json();
        QCOMPARE(result["heads"].size(), std::size_t{4});
        for (const nlohmann::json& head : result["heads"]) {
            QVERIFY(head["entropy"].get<double>() >= 0.0);
            const double previous = head["previous_token"].get<double>();
            QVERIFY(previous >= 0.0 && previous <= 1.0);
            for (const HeadScoreInfo& info : headScoreInfos()) {
                const std::string key(info.key);
                QVERIFY2(head.contains(key), key.c_str());
                QCOMPARE(head[key].is_null(), result["undefined"][""].contains(key));
            }
            QVERIFY(head["copying"].is_null()); // of the weights, not of the text
            QVERIFY(head["induction_on_text"].is_number());
            // Keys that earlier versions printed: one score each, as in session files.
            QVERIFY(head["induction"] == head["induction_on_text"]);
            QVERIFY(head["entropy_normalised"] == head["normalised_entropy"]);
            QVERIFY(head["duplicate_token"] == head["duplicate_fraction"]);
        }
        const Outcome table =
            runHeadscope({"inspect", "--model", m_model, "--device", "cpu", "--text", "the cat"});
        HS_DONE(table);
        QVERIFY(table.out.contains("L1H1"));
        for (const HeadScoreInfo& info : headScoreInfos())
            QVERIFY2(table.out.contains(info.column.data()) || table.out.contains(info.key.data()),
                     info.key.data());
    }

    void theHeadsOfATraceFileAreScored()
    {
        const QString file = HEADSCOPE_TEST_DATA "/captured/bert.safetensors";
        const Outcome outcome = runHeadscope({"inspect", "--trace", file, "--json"});
        HS_DONE(outcome);
        const nlohmann::json result = outcome.json();
        QCOMPARE(result["heads"].size(), std::size_t{8});
        QCOMPARE(result["model"].get<std::string>(), std::string("bert"));
        QCOMPARE(result["tokens"][0].get<std::string>(), std::string("[CLS]"));
        QCOMPARE(result["tokens"][5].get<std::string>(), std::string("##ve"));
        for (const nlohmann::json& head : result["heads"])
            QVERIFY(head["entropy"].get<double>() > 0.0);
        for (const nlohmann::json& head : result["heads"]) // its rows may look at all tokens
            QVERIFY(head["normalised_entropy"].get<double>() <= 1.0);
        HS_DONE(runHeadscope({"inspect", "--trace", file}));
        HS_REFUSED(runHeadscope({"inspect", "--trace", m_model}), 1, "not a Headscope trace");
        QCOMPARE(runHeadscope({"inspect", "--trace", file, "--text", "x"}).status, 2);
    }

    void aChatIsRenderedByTheModelsTemplate()
    {
        // a model without a tokenizer: numbers are ids
        const QTemporaryDir folder;
        const QDir golden(HEADSCOPE_SOURCE_DIR "/tests/data/golden/hf/llama");
        for (const QString& file : golden.entryList(QDir::Files))
            QVERIFY(QFile::copy(golden.filePath(file), folder.filePath(file)));
        const auto write = [&folder](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        };
        QVERIFY(
            write("tokenizer_config.json",
                  R"({"chat_template": "{% for m in messages %}{{ m.content }} {% endfor %}7"})"));
        QVERIFY(write("chat.json", R"([{"role": "user", "content": "5 2"}])"));
        const QStringList chat = {"--model", folder.path(), "--chat", folder.filePath("chat.json")};
        const Outcome tokens = runHeadscope(QStringList{"tokenize", "--json"} + chat);
        HS_DONE(tokens);
        QVERIFY(tokens.json()["ids"] == nlohmann::json({5, 2, 7}));
        const Outcome text =
            runHeadscope(QStringList{"generate", "--json", "--max-tokens", "1"} + chat);
        HS_DONE(text);
        QCOMPARE(text.json()["prompt_tokens"].get<int>(), 3);
        HS_DONE(runHeadscope(QStringList{"trace", "--device", "cpu", "--out", m_out} + chat));
        const TraceFile traced = openTraceFile(m_out.toStdString());
        QCOMPARE(traced.trace->tokens().ids(), (std::vector<TokenId>{5, 2, 7}));
        QCOMPARE(traced.roles, (std::vector<std::string>{"user"}));
        QCOMPARE(traced.trace->tokens().tokens[1].turn, 0);
        QCOMPARE(traced.trace->tokens().tokens[2].turn, kTemplateTurn);
        const Outcome scores =
            runHeadscope(QStringList{"inspect", "--json", "--device", "cpu"} + chat);
        HS_DONE(scores);
        QVERIFY(scores.json()["ids"] == nlohmann::json({5, 2, 7}));
        const Outcome parts =
            runHeadscope(QStringList{"inspect", "--json", "--lens", "--device", "cpu"} + chat);
        HS_DONE(parts);
        QVERIFY(parts.json()["ids"] == nlohmann::json({5, 2, 7}));
        HS_REFUSED(runHeadscope(QStringList{"inspect", "--text", "x"} + chat), 2, "--chat");
        HS_REFUSED(runHeadscope({"inspect", "--model", m_model, "--chat", chat.last()}), 1,
                   "no chat template");
        HS_REFUSED(runHeadscope({"generate", "--model", m_model, "--chat", chat.last()}), 1,
                   "no chat template");
        HS_REFUSED(runHeadscope(QStringList{"generate", "--prompt", "x"} + chat), 2, "--chat");
    }

    void architecturesAndWhatOneAsksForAreListed()
    {
        const Outcome all = runHeadscope({"models", "--coverage", "--json"});
        HS_DONE(all);
        bool isFound = false;
        const nlohmann::json architectures = all.json().at("architectures");
        for (const nlohmann::json& known : architectures) {
            if (known.at("architecture").get<std::string>() != "gpt2")
                continue;
            isFound = true;
            QCOMPARE(known.at("formats").get<std::vector<std::string>>(),
                     (std::vector<std::string>{"Hugging Face", "GGUF"}));
            QVERIFY(!known.at("mechanisms").empty());
        }
        QVERIFY(isFound);
        const Outcome text = runHeadscope({"models", "--coverage"});
        HS_DONE(text);
        QVERIFY(text.out.contains("gpt2         Hugging Face, GGUF"));

        const QString config = m_folder->filePath("config.json");
        writeAtomically(config.toStdString(), R"({"model_type": "mamba", "state_size": 16})");
        const Outcome one = runHeadscope({"models", config, "--coverage", "--json"});
        HS_DONE(one);
        QVERIFY(!one.json().at("opens").get<bool>());
        QCOMPARE(one.json().at("architecture").get<std::string>(), std::string("mamba"));
        const Outcome opens = runHeadscope(
            {"models", HEADSCOPE_SOURCE_DIR "/tests/data/golden/hf/gemma2", "--coverage"});
        HS_DONE(opens);
        QVERIFY(opens.out.contains("opens") && opens.out.contains("capped logits"));
        const Outcome missing = runHeadscope({"models", config, "--coverage"});
        HS_DONE(missing);
        QVERIFY(missing.out.contains("does not open") &&
                missing.out.contains("missing      state-space layers"));
    }

    void theDevicesAreListed()
    {
        const Outcome outcome = runHeadscope({"devices", "--json"});
        HS_DONE(outcome);
        const nlohmann::json devices = outcome.json()["devices"];
        QCOMPARE(devices[0]["id"].get<std::string>(), std::string("cpu"));
    }

private:
    Outcome trace(const QStringList& arguments) const
    {
        return runHeadscope(
            QStringList{"trace", "--model", m_model, "--device", "cpu", "--out", m_out} +
            arguments);
    }

    Outcome generate(const QStringList& arguments) const
    {
        return runHeadscope(QStringList{"generate", "--model", m_model, "--device", "cpu"} +
                            arguments);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_model;
    QString m_out;
};

HEADSCOPE_TEST(TstModelCommands)
#include "tst_model_commands.moc"
