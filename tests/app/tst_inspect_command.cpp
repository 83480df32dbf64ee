#include "core/base/file.h"
#include "core/io/checkpoint.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <cmath>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstInspectCommand : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_model =
            QString::fromStdString(test::saveTinyModel(m_folder->path().toStdString()).string());
    }

    void partsAddUpToTheLogit()
    {
        const Outcome outcome =
            inspect({"--attribution", "--target", "t", "--against", "e", "--json"});
        HS_DONE(outcome);
        const nlohmann::json attribution = outcome.json().at("attribution");
        QCOMPARE(attribution.at("target").at("token").get<std::string>(), std::string("t"));
        QCOMPARE(attribution.at("against").at("token").get<std::string>(), std::string("e"));
        double sum = 0.0;
        for (const auto& part : attribution.at("parts"))
            sum += part.at("value").get<double>();
        QVERIFY(attribution.at("parts").size() > 6);
        const double logit = attribution.at("logit").get<double>();
        QVERIFY2(std::abs(sum - logit) < 1e-4, qPrintable(QString("%1, %2").arg(sum).arg(logit)));
    }

    void theLastStageIsTheModelsOwnPrediction()
    {
        const Outcome outcome = inspect({"--lens", "--json"});
        HS_DONE(outcome);
        const nlohmann::json lens = outcome.json().at("lens");
        const nlohmann::json last = lens.at("stages").back();
        QCOMPARE(last.at("site").get<std::string>(), std::string("blocks.1.hook_resid_post"));
        QCOMPARE(last.at("rank").get<int>(), 1); // the target is the most probable token
        QCOMPARE(last.at("kl").get<double>(), 0.0);
        const Outcome generated =
            runHeadscope({"generate", "--model", m_model, "--device", "cpu", "--prompt",
                          "the cat sat", "--max-tokens", "1", "--temperature", "0", "--json"});
        HS_DONE(generated);
        const nlohmann::json step = generated.json().at("steps").at(0);
        QCOMPARE(lens.at("target").at("id").get<int>(), step.at("id").get<int>());
    }

    void everyHeadIsSwitchedOffOnce()
    {
        const Outcome outcome = inspect({"--ablate-all", "--json"});
        HS_DONE(outcome);
        const nlohmann::json ablation = outcome.json().at("ablation");
        QCOMPARE(ablation.at("heads").size(), std::size_t{4});
        QVERIFY(ablation.at("before").get<double>() > 0.0);
        for (const auto& head : ablation.at("heads"))
            QVERIFY(head.at("effect").is_number());
        for (const auto& score : ablation.at("looks_important")) {
            const auto& correlation = score.at("rank_correlation");
            QVERIFY(correlation.is_null() || std::abs(correlation.get<double>()) <= 1.0);
        }
        QVERIFY(outcome.json().at("ablation_on_repeats").contains("heads"));
    }

    void whatIsNotAskedForIsNotThere()
    {
        const nlohmann::json plain = inspect({"--json"}).json();
        for (const char* key : {"lens", "attribution", "labels", "ablation", "settings"})
            QVERIFY2(!plain.contains(key), key);
        QCOMPARE(plain.at("heads").size(), std::size_t{4});
        const nlohmann::json lens = inspect({"--lens", "--json"}).json();
        QCOMPARE(lens.at("heads").dump(), plain.at("heads").dump());
        QVERIFY(!lens.contains("attribution"));
    }

    void longTextsHaveAnInContextScore()
    {
        const QString text = QString("the cat sat on the mat ").repeated(4).trimmed();
        const nlohmann::json json = inspect({"--json"}, text).json();
        const nlohmann::json score = json.at("in_context_score");
        QCOMPARE(score.at("late").at("position").get<std::size_t>(), json.at("ids").size() - 1);
        QCOMPARE(score.at("nats").get<double>(), score.at("late").at("loss").get<double>() -
                                                     score.at("early").at("loss").get<double>());
        QVERIFY(inspect({}, text).out.contains("in-context-learning score"));
        QVERIFY(inspect({"--json"}, "the").json().at("in_context_score").is_null());
    }

    void textSectionsSayWhatTheyAre()
    {
        const Outcome outcome = inspect({"--labels", "--lens", "--attribution", "--ablate-all"});
        HS_DONE(outcome);
        for (const char* words :
             {"L1H1", "labels, from", "logit lens at token", "sum", "the model's logit",
              "ablation on the text", "ablation on random repeats"})
            QVERIFY2(outcome.out.contains(words), words);
        const Outcome two = inspect({"--attribution", "--target", "t", "--against", "e"});
        QVERIFY2(two.out.contains("the model's logit difference"), two.out.constData());
        QVERIFY(!QByteArray(two.out)
                     .replace("the model's logit difference", "")
                     .contains("the model's logit"));
    }

    void aReportIsWrittenWholeAndComesAgain()
    {
        const QString pdf = m_folder->filePath("r.pdf");
        const QString first = m_folder->filePath("first.json");
        const QString second = m_folder->filePath("second.json");
        const Outcome outcome = inspect({"--report", pdf, "--report", first});
        HS_DONE(outcome);
        QCOMPARE(outcome.out, (pdf + "\n" + first + "\n").toUtf8());
        const std::string bytes = readFile(pdf.toStdString(), 1 << 26);
        QVERIFY(bytes.starts_with("%PDF-"));
        QVERIFY(bytes.find("%%EOF") != std::string::npos);
        HS_DONE(inspect({"--report", second}));
        nlohmann::json one = reportAt(first);
        nlohmann::json other = reportAt(second);
        QVERIFY(one.at("times_ms").size() > 3);
        one.erase("times_ms");
        other.erase("times_ms");
        QCOMPARE(one.dump(), other.dump());
        for (const char* part : {"settings", "architecture", "audit", "tokens", "scores", "probe",
                                 "labels", "ablation", "ablation_on_repeats", "lens", "attribution",
                                 "sink_rate", "in_context_score"})
            QVERIFY2(one.contains(part) && !one.at(part).is_null(), part);
        QCOMPARE(one.at("settings").at("fingerprint").get<std::string>().size(), std::size_t{16});
        QVERIFY(one.at("architecture").at("parameters").at("total").get<int>() > 0);
    }

    void oneTokenAndIdenticalTokensSayWhatIsNotDefined_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("one token") << "t";
        QTest::newRow("identical tokens") << "zzzzzzzz";
        QTest::newRow("empty") << "";
    }

    void oneTokenAndIdenticalTokensSayWhatIsNotDefined()
    {
        QFETCH(QString, text);
        const QString file = m_folder->filePath("r.json");
        const QString pdf = m_folder->filePath("r.pdf");
        HS_DONE(runHeadscope({"inspect", "--model", m_model, "--device", "cpu", "--text", text,
                              "--report", file, "--report", pdf}));
        const nlohmann::json report = reportAt(file);
        QVERIFY(QFileInfo(pdf).size() > 5000);
        QVERIFY(report.at("ablation").contains("heads"));
        if (text.size() == 1) {
            const nlohmann::json undefined = report.at("scores").at("undefined").at("");
            QVERIFY(!undefined.at("previous_token").get<std::string>().empty());
            QVERIFY(!report.at("scores").at("heads").at(0).contains("previous_token"));
        }
    }

    void modelsThatLackSomethingSaySo_data()
    {
        QTest::addColumn<QString>("lacks");
        for (const char* lacks : {"mlp", "heads", "language head"})
            QTest::newRow(lacks) << lacks;
    }

    void modelsThatLackSomethingSaySo()
    {
        QFETCH(QString, lacks);
        LoadedModel tiny = test::tinyModel();
        ModelConfig config = tiny.model->config();
        if (lacks == "mlp")
            config.dFf = 0;
        if (lacks == "heads") {
            config.heads = 1;
            config.keyHeads = 1;
        }
        if (lacks == "language head")
            config.languageHead = false;
        const auto path = m_folder->filePath("other.safetensors").toStdString();
        saveCheckpoint(path, Model::initialised(config, 3));
        const QString file = m_folder->filePath("r.json");
        HS_DONE(runHeadscope({"inspect", "--model", QString::fromStdString(path), "--device", "cpu",
                              "--text", "the cat", "--report", file, "--report",
                              m_folder->filePath("r.pdf")}));
        const nlohmann::json report = reportAt(file);
        const bool predicts = lacks != "language head";
        for (const char* part : {"lens", "attribution"})
            QCOMPARE(report.at(part).contains("missing"), !predicts);
        QCOMPARE(report.at("ablation_on_repeats").contains("missing"), !predicts);
        const std::string metric = report.at("ablation").at("metric");
        QCOMPARE(metric.find("cosine") != std::string::npos, !predicts);
        for (const auto& head : report.at("ablation").at("heads"))
            QVERIFY(head.at("effect").is_number());
    }

    void aTraceNeedsNoModel()
    {
        const QString file = m_folder->filePath("t.safetensors");
        HS_DONE(runHeadscope({"trace", "--model", m_model, "--device", "cpu", "--text",
                              "the cat sat", "--out", file}));
        const QString report = m_folder->filePath("captured.json");
        HS_DONE(runHeadscope({"inspect", "--trace", file, "--report", report, "--report",
                              m_folder->filePath("captured.pdf")}));
        const nlohmann::json json = reportAt(report);
        QCOMPARE(json.at("scores").at("heads").size(), std::size_t{4});
        for (const char* part :
             {"audit", "probe", "ablation", "ablation_on_repeats", "lens", "attribution"})
            QVERIFY2(json.at(part).contains("missing"), part);
    }

    void scoresAreThoseOfTheEditedModel()
    {
        const auto entropies = [](const nlohmann::json& result) {
            std::vector<double> values;
            for (const auto& head : result.at("heads"))
                values.push_back(head.at("entropy").get<double>());
            return values;
        };
        const Outcome plain = inspect({"--json"});
        HS_DONE(plain);
        const QStringList edit{"--edit", "blocks.0.attn[H0,H1]=swap"};
        const Outcome swapped = inspect(QStringList{"--json"} + edit);
        HS_DONE(swapped);
        const std::vector<double> before = entropies(plain.json());
        const std::vector<double> after = entropies(swapped.json());
        QVERIFY(std::abs(before[0] - before[1]) > 1e-4);
        QVERIFY(std::abs(after[0] - before[1]) < 1e-5 && std::abs(after[1] - before[0]) < 1e-5);

        const QString report = m_folder->filePath("edited.json");
        HS_DONE(inspect(QStringList{"--report", report} + edit));
        const nlohmann::json written = reportAt(report);
        QVERIFY(std::abs(entropies(written.at("scores"))[0] - before[1]) < 1e-5);
        QVERIFY(written.at("settings").at("command").get<std::string>().find("=swap") !=
                std::string::npos);
        HS_REFUSED(inspect({"--edit", "blocks.7.attn.W_Q*=0"}), 1, "no such weight matrix");
        HS_REFUSED(runHeadscope({"inspect", "--trace", "t.safetensors", "--edit", "W_E*=0"}), 2,
                   "--edit");
    }

    void twoModelsAreRanked()
    {
        const Outcome same = inspect({"--model-b", m_model, "--json"});
        HS_DONE(same);
        const nlohmann::json heads = same.json().at("heads").at("ranked");
        QCOMPARE(heads.size(), std::size_t{4});
        for (const auto& head : heads)
            QCOMPARE(head.at("js_bits").get<double>(), 0.0);
        const nlohmann::json matrices = same.json().at("matrices").at("ranked");
        QVERIFY(!matrices.empty());
        for (const auto& matrix : matrices)
            QVERIFY(matrix.at("shared").get<bool>());

        const QStringList edited{"--model-b", m_model, "--edit", "blocks.1.attn.W_Q[H1]*=0"};
        const Outcome moved = inspect(QStringList{"--json"} + edited);
        HS_DONE(moved);
        const nlohmann::json first = moved.json().at("heads").at("ranked").at(0);
        QCOMPARE(first.at("layer").get<int>(), 1);
        QCOMPARE(first.at("head").get<int>(), 1);
        QVERIFY(first.at("js_bits").get<double>() > 0.0);
        QCOMPARE(moved.json().at("matrices").at("ranked").at(0).at("name").get<std::string>(),
                 std::string("blocks.1.attn.W_Q"));
        QVERIFY(moved.json().at("tokens").at("mean_kl_bits").get<double>() > 0.0);

        const Outcome text = inspect(edited);
        HS_DONE(text);
        QVERIFY2(text.out.contains("L1H1") && text.out.contains("blocks.1.attn.W_Q") &&
                     text.out.contains("bits per token"),
                 text.out.constData());
        HS_REFUSED(inspect({"--model-b", m_model, "--lens"}), 1, "--model-b");
        HS_REFUSED(inspect({"--model-b", m_model, "--lora", m_folder->path()}), 1, "adapter");
    }

    void textsAreRanked()
    {
        const QString file = m_folder->filePath("lines.txt");
        QFile lines(file);
        QVERIFY(lines.open(QIODevice::WriteOnly));
        lines.write("the cat sat\nthe cat\n");
        lines.close();
        const auto rank = [&](const QStringList& more) {
            return runHeadscope(QStringList{"inspect", "--model", m_model, "--device", "cpu"} +
                                more);
        };
        const QStringList edited{"--model-b", m_model, "--edit", "blocks.0.mlp.W_out*=2"};
        const Outcome outcome = rank(QStringList{"--texts", file, "--json"} + edited);
        HS_DONE(outcome);
        const nlohmann::json texts = outcome.json().at("texts");
        QCOMPARE(texts.size(), std::size_t{2});
        QVERIFY(texts[0].at("mean_kl_bits").get<double>() >=
                texts[1].at("mean_kl_bits").get<double>());
        QVERIFY(texts[1].at("mean_kl_bits").get<double>() > 0.0);
        HS_DONE(rank(QStringList{"--texts", "builtin:samples"} + edited));
        HS_REFUSED(rank({"--texts", file}), 2, "--model-b");
        HS_REFUSED(rank(QStringList{"--texts", m_folder->filePath("none.txt")} + edited), 1,
                   "none.txt");
    }

    void wrongUsageIsOneSentence()
    {
        HS_REFUSED(inspect({"--report", "r.doc"}), 2, "r.doc");
        HS_REFUSED(inspect({"--lens", "--target", "not a single token"}), 1,
                   "is not a single token");
        HS_REFUSED(inspect({"--lens", "--position", "999"}), 1, "no token 999");
        HS_REFUSED(inspect({"--decoder-text", "x", "--lens"}), 1, "reads one text");
        HS_REFUSED(inspect({"--report", m_folder->filePath("no/such/folder/r.json")}), 1, "r.json");
        QVERIFY(!QFileInfo::exists("r.doc"));
        QVERIFY(!QFileInfo::exists(m_folder->filePath("no")));
    }

private:
    Outcome inspect(const QStringList& more, const QString& text = "the cat sat") const
    {
        return runHeadscope(
            QStringList{"inspect", "--model", m_model, "--device", "cpu", "--text", text} + more);
    }

    static nlohmann::json reportAt(const QString& path)
    {
        return nlohmann::json::parse(readFile(path.toStdString(), 1 << 26));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_model;
};

HEADSCOPE_TEST(TstInspectCommand)
#include "tst_inspect_command.moc"
