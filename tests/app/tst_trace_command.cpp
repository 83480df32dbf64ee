#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/io/trace_file.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

/// `headscope trace` on models other than a plain decoder, and what it can change.
class TstTraceCommand : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkdir("out"));
        m_out = m_folder->filePath("out/trace.safetensors");
        writeAtomically(m_folder->filePath("tokenizer.json").toStdString(),
                        test::tinyTokenizerJson());
        save(Architecture::Decoder);
    }

    void anEncoderDecoderReadsASourceAndATarget()
    {
        save(Architecture::EncoderDecoder);
        HS_DONE(trace({"--text", "the cat sat", "--target", "the mat"}));
        const TracePtr trace = loaded();
        QCOMPARE(trace->sourceTokens().text, std::string("the cat sat"));
        QCOMPARE(trace->tokens().text, std::string("the mat"));
        QVERIFY(trace->tokens().tokens.front().special); // the start token
        const auto m = static_cast<std::int64_t>(trace->sourceTokens().size());
        const auto n = static_cast<std::int64_t>(trace->tokens().size());
        QVERIFY(n > 1 && m != n);
        QVERIFY(trace->find({Site::CrossPattern, 1, Stack::Decoder})->shape() == (Shape{2, n, m}));
        QVERIFY(trace->find({Site::Pattern, 1, Stack::Encoder})->shape() == (Shape{2, m, m}));
        QVERIFY(trace->find({Site::Logits, 0})->shape()[0] == n);
    }

    void targetsMayBeGivenAsIdsOrLeftOut()
    {
        save(Architecture::EncoderDecoder);
        HS_DONE(trace({"--ids", "66,67,68", "--target-ids", "0,70"}));
        QCOMPARE(loaded()->tokens().ids(), (std::vector<TokenId>{0, 70}));
        QCOMPARE(loaded()->sourceTokens().ids(), (std::vector<TokenId>{66, 67, 68}));
        HS_DONE(trace({"--ids", "66,67,68"}));
        QCOMPARE(loaded()->tokens().size(), std::size_t{1});
    }

    void headsOfEveryAttentionAreSwitchedOff()
    {
        save(Architecture::EncoderDecoder);
        HS_DONE(trace({"--ids", "66,67", "--ablate", "E0H1,D1H0,C1H1", "--sites", "*hook_z"}));
        const TracePtr trace = loaded();
        const auto isOff = [&](TraceKey key, std::int64_t head) {
            return trace->find(key)->view()(0, head, 0) == 0.0F;
        };
        QVERIFY(isOff({Site::Z, 0, Stack::Encoder}, 1));
        QVERIFY(!isOff({Site::Z, 0, Stack::Encoder}, 0));
        QVERIFY(isOff({Site::Z, 1, Stack::Decoder}, 0));
        QVERIFY(isOff({Site::CrossZ, 1, Stack::Decoder}, 1));
        QVERIFY(!isOff({Site::CrossZ, 1, Stack::Decoder}, 0));
        const nlohmann::json settings = nlohmann::json::parse(trace->info().settings);
        QCOMPARE(QString::fromStdString(settings["ablate"].dump()),
                 QString(R"(["E0H1","D1H0","C1H1"])"));
    }

    void positionsAreReplaced()
    {
        HS_DONE(trace({"--ids", "66,67,68", "--positions", "none"}));
        QVERIFY(!loaded()->find({Site::PosEmbed, 0}));
        HS_DONE(trace({"--ids", "66,67,68", "--positions", "rope:100"}));
        const TracePtr turned = loaded();
        QVERIFY(turned->find({Site::RotatedQuery, 0}));
        const nlohmann::json settings = nlohmann::json::parse(turned->info().settings);
        QCOMPARE(settings["positions"].get<std::string>(), std::string("rope:100"));
        QCOMPARE(settings["mask"].get<std::string>(), std::string("causal"));
    }

    void anEncoderSeesBothSidesUnlessToldNotTo()
    {
        save(Architecture::Encoder);
        const TraceKey pattern{Site::Pattern, 0};
        HS_DONE(trace({"--ids", "66,67,68"}));
        QVERIFY(loaded()->find(pattern)->view()(0, 0, 2) > 0.0F);
        HS_DONE(trace({"--ids", "66,67,68", "--mask", "causal"}));
        QCOMPARE(loaded()->find(pattern)->view()(0, 0, 2), 0.0F);
    }

    void wrongUsesAreRefusedAndLeaveNothing_data()
    {
        QTest::addColumn<bool>("twoStacks");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("reported");
        const auto row = [](const char* name, bool twoStacks, const QStringList& arguments,
                            int status, const char* reported) {
            QTest::newRow(name) << twoStacks << arguments << status << QByteArray(reported);
        };
        row("a target for one stack", false, {"--target", "y"}, 1, "reads one text");
        row("target ids for one stack", false, {"--target-ids", "1"}, 1, "reads one text");
        row("two targets", true, {"--target", "y", "--target-ids", "1"}, 2, "--target");
        row("target ids that are none", true, {"--target-ids", "1,b"}, 2, "--target-ids");
        row("an id outside the vocabulary", true, {"--target-ids", "99999"}, 1, "99999");
        row("a head of no stack", true, {"--ablate", "L0H0"}, 1, "write E0H0 or D0H0");
        row("an encoder's head in one stack", false, {"--ablate", "E0H0"}, 1, "no head E0H0");
        row("no positions", false, {"--positions", "ropes"}, 1, "Did you mean \"rope\"?");
        row("no base", false, {"--positions", "rope:x"}, 1, "rope:10000");
        row("positions of others", false, {"--positions", "relative"}, 1, "has learned none");
    }

    void wrongUsesAreRefusedAndLeaveNothing()
    {
        QFETCH(bool, twoStacks);
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, reported);
        if (twoStacks)
            save(Architecture::EncoderDecoder);
        HS_REFUSED(trace(QStringList{"--text", "x"} + arguments), status, reported);
        QVERIFY(QDir(m_folder->filePath("out")).entryList(QDir::Files | QDir::Hidden).isEmpty());
    }

    /// As text, from a file, and what the trace says of it.
    void weightsAreEdited()
    {
        HS_DONE(trace({"--ids", "66,67,68", "--ablate", "L1H0"}));
        const TracePtr ablated = loaded();
        HS_DONE(trace({"--ids", "66,67,68", "--edit", "blocks.1.attn.W_O[H0]*=0", "--edit",
                       "blocks.0.attn[H0,H1]=swap"}));
        const TracePtr edited = loaded();
        const TensorView expected = ablated->find({Site::Logits, 0})->view();
        const TensorView got = edited->find({Site::Logits, 0})->view();
        for (std::int64_t i = 0; i < expected.shape.elementCount(); ++i)
            QVERIFY(std::abs(got.data[i] - expected.data[i]) < 1e-5F);
        const auto settings = nlohmann::json::parse(edited->info().settings);
        QCOMPARE(settings.at("weights").size(), std::size_t{2});
        QCOMPARE(settings.at("weights")[0].at("matrix").get<std::string>(),
                 std::string("blocks.1.attn.W_O"));

        const QString file = m_folder->filePath("edits.json");
        writeAtomically(file.toStdString(), settings.at("weights").dump());
        HS_DONE(trace({"--ids", "66,67,68", "--edit", file}));
        const TracePtr repeated = loaded();
        const TensorView again = repeated->find({Site::Logits, 0})->view();
        for (std::int64_t i = 0; i < again.shape.elementCount(); ++i)
            QCOMPARE(again.data[i], got.data[i]);
    }

    void weightsAreTakenFromACheckpoint()
    {
        const QString other = m_folder->filePath("other.safetensors");
        saveCheckpoint(other.toStdString(),
                       Model::initialised(test::tinyModel().model->config(), 8));
        HS_DONE(trace({"--ids", "66,67", "--edit", "W_pos=@" + other}));
        const TracePtr edited = loaded();
        const TensorView positions = edited->find({Site::PosEmbed, 0})->view();
        const Model expected = Model::initialised(test::tinyModel().model->config(), 8);
        QCOMPARE(positions(1, 3), expected.parameters().view("pos_emb.weight")[1].data[3]);
    }

    /// In the order of the edits, and after them.
    void adaptersAreApplied()
    {
        const QString golden = QString::fromStdString(HEADSCOPE_TEST_DATA) + "/golden/";
        const auto logits = [&](const QStringList& more) {
            const Outcome outcome = runHeadscope(
                QStringList{"trace", "--model", golden + "hf/granite", "--device", "cpu", "--ids",
                            "7,9,11", "--sites", "logits", "--out", m_out} +
                more);
            if (outcome.status != 0)
                throw Error(outcome.err.toStdString());
            const TracePtr trace = loaded();
            const TensorView view = trace->find({Site::Logits, 0})->view();
            return std::vector<float>(view.data, view.data + view.shape.elementCount());
        };
        const QString adapter = golden + "lora/granite";
        const std::vector<float> plain = logits({});
        const std::vector<float> adapted = logits({"--lora", adapter});
        QVERIFY(plain != adapted);
        QVERIFY(logits({"--edit", "adapter=@" + adapter}) == adapted);
        const std::vector<float> before =
            logits({"--edit", "adapter=@" + adapter, "--edit", "blocks.0.attn.W_V*=0"});
        QVERIFY(logits({"--lora", adapter, "--edit", "blocks.0.attn.W_V*=0"}) != before);
        const auto settings = nlohmann::json::parse(loaded()->info().settings);
        QCOMPARE(settings.at("weights")[1].at("take").get<std::string>(), adapter.toStdString());
        HS_REFUSED(trace({"--ids", "66", "--lora", adapter}), 1, "neither a Hugging Face folder");
        HS_REFUSED(runHeadscope({"trace", "--model", adapter, "--ids", "1", "--out", m_out}), 1,
                   "LoRA adapter, not a model");
        HS_REFUSED(
            runHeadscope({"trace", "--model", adapter + ".gguf", "--ids", "1", "--out", m_out}), 1,
            "adapter, not a model");
    }

    void aWrongEditIsOneSentence_data()
    {
        QTest::addColumn<QString>("edit");
        QTest::addColumn<QString>("reported");
        QTest::newRow("no edit") << "nonsense"
                                 << "no weight edit: \"nonsense\"";
        QTest::newRow("no matrix") << "blocks.7.attn.W_Q*=0"
                                   << "no such weight matrix";
        QTest::newRow("no row") << "W_E[99999]*=0"
                                << "W_E has no row 99999";
        QTest::newRow("no checkpoint") << "W_E=@nowhere.safetensors"
                                       << "nowhere.safetensors";
        QTest::newRow("no file") << "nowhere.json"
                                 << "nowhere.json";
    }

    void aWrongEditIsOneSentence()
    {
        QFETCH(QString, edit);
        QFETCH(QString, reported);
        const Outcome outcome = trace({"--ids", "66", "--edit", edit});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains(reported.toUtf8()), outcome.err.constData());
        QVERIFY2(outcome.isOneSentence(), outcome.err.constData());
        QVERIFY(!QFile::exists(m_out));
    }

private:
    /// The tiny model's extents in another architecture.
    void save(Architecture architecture)
    {
        ModelConfig config = test::tinyModel().model->config();
        config.architecture = architecture;
        m_model = m_folder->filePath("model.safetensors");
        saveCheckpoint(m_model.toStdString(), Model::initialised(config, 3));
    }

    Outcome trace(const QStringList& arguments) const
    {
        return runHeadscope(
            QStringList{"trace", "--model", m_model, "--device", "cpu", "--out", m_out} +
            arguments);
    }

    TracePtr loaded() const { return openTraceFile(m_out.toStdString()).trace; }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_model;
    QString m_out;
};

HEADSCOPE_TEST(TstTraceCommand)
#include "tst_trace_command.moc"
