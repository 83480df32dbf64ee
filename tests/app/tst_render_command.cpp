#include "core/io/npy.h"
#include "core/io/trace_file.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>

#include <cmath>
#include <map>
#include <set>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstRenderCommand : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        m_model =
            QString::fromStdString(test::saveTinyModel(m_folder.path().toStdString()).string());
        QVERIFY(QDir(m_folder.path()).mkdir("out"));
    }

    void everyViewIsDrawnInEveryFormat_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("magic");
        for (const char* view : {"grid", "head", "positions", "mask"}) {
            QTest::addRow("%s png", view) << view << "png" << QByteArray("\x89PNG");
            QTest::addRow("%s svg", view) << view << "svg" << QByteArray("<?xml");
            QTest::addRow("%s pdf", view) << view << "pdf" << QByteArray("%PDF");
        }
    }

    void everyViewIsDrawnInEveryFormat()
    {
        QFETCH(QString, view);
        QFETCH(QString, ending);
        QFETCH(QByteArray, magic);
        const QString out = m_folder.filePath("picture." + ending);
        HS_DONE(render({"--text", "the cat sat", "--view", view, "--out", out}));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(magic.size()), magic);
        QVERIFY(file.size() > 1000);
    }

    void scaleThemeAndHeadChangeThePicture()
    {
        const QImage plain = image({});
        QVERIFY(!plain.isNull());
        const QImage large = image({"--scale", "2"});
        QCOMPARE(large.size(), plain.size() * 2);
        QVERIFY(image({"--theme", "dark"}) != plain);
        QVERIFY(image({"--layer", "1", "--head", "1"}) != plain);
        QVERIFY(image({"--mask", "none"}) != plain);
        QVERIFY(image({}) == plain);
    }

    void aTraceFileIsDrawnAsItsText()
    {
        const QString trace = m_folder.filePath("trace.safetensors");
        HS_DONE(runHeadscope({"trace", "--model", m_model, "--device", "cpu", "--text",
                              "the cat sat", "--out", trace}));
        const QString out = m_folder.filePath("traced.png");
        HS_DONE(runHeadscope({"render", "--trace", trace, "--out", out}));
        QVERIFY(!QImage(out).isNull());
    }

    void aPageToShareBringsItsSessionBack()
    {
        const QString page = m_folder.filePath("page.html");
        HS_DONE(render({"--text", "the cat sat", "--mask", "none", "--layer", "1", "--out", page,
                        "--numbers", m_folder.filePath("first.json")}));
        HS_DONE(runHeadscope(
            {"render", "--session", page, "--numbers", m_folder.filePath("second.json")}));
        QCOMPARE(contentOf("second.json"), contentOf("first.json"));
        QVERIFY(contentOf("page.html").startsWith("<!DOCTYPE html>"));
        QFile foreign(m_folder.filePath("foreign.html"));
        QVERIFY(foreign.open(QIODevice::WriteOnly));
        foreign.write("<!DOCTYPE html><script>alert(1)</script>");
        foreign.close();
        HS_REFUSED(runHeadscope({"render", "--session", foreign.fileName(), "--numbers",
                                 m_folder.filePath("third.json")}),
                   1, "contains no session");
    }

    void attentionCapturedElsewhereIsDrawn_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("view");
        for (const char* view : {"grid", "head", "heads", "arcs", "distance", "flow", "mask"}) {
            QTest::addRow("gpt2 %s", view) << "gpt2" << view;
            QTest::addRow("bert %s", view) << "bert" << view;
        }
    }

    void attentionCapturedElsewhereIsDrawn()
    {
        QFETCH(QString, file);
        QFETCH(QString, view);
        const QString out = m_folder.filePath("captured.svg");
        const Outcome outcome = runHeadscope({"render", "--trace", captured(file), "--view", view,
                                              "--layer", "1", "--head", "2", "--out", out});
        HS_DONE(outcome);
        QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
        QFile image(out);
        QVERIFY(image.open(QIODevice::ReadOnly));
        QVERIFY(image.size() > 1000);
    }

    void numbersOfACapturedHeadAreThoseOfItsFile()
    {
        const QString out = m_folder.filePath("captured.npy");
        HS_DONE(runHeadscope({"render", "--trace", captured("gpt2"), "--view", "head", "--layer",
                              "1", "--head", "3", "--numbers", out}));
        const Tensor saved = loadNpy(out.toStdString());
        const auto pattern =
            openTraceFile(captured("gpt2").toStdString()).trace->find({Site::Pattern, 1});
        const TensorView head = pattern->view()[3];
        QVERIFY(saved.shape() == head.shape);
        QVERIFY(std::equal(saved.values().begin(), saved.values().end(), head.data));
    }

    void aCapturedTraceNeedsAModelForSomeViews()
    {
        const QString out = m_folder.filePath("out/x.png");
        for (const char* view : {"architecture", "next-token"})
            HS_REFUSED(
                runHeadscope({"render", "--trace", captured("gpt2"), "--view", view, "--out", out}),
                1, "nothing to draw");
        HS_REFUSED(runHeadscope({"render", "--trace", m_model, "--out", out}), 1,
                   "not a Headscope trace");
    }

    void wrongPicturesAreRefusedAndLeaveNothing()
    {
        const QString out = m_folder.filePath("out/x.png");
        HS_REFUSED(render({"--text", "x", "--layer", "9", "--out", out}), 1, "L9H0");
        HS_REFUSED(render({"--text", "x", "--out", m_folder.filePath("out/x.bmp")}), 1, ".png");
        HS_REFUSED(render({"--text", "x", "--out", m_folder.filePath("none/x.png")}), 1,
                   "cannot write");
        HS_REFUSED(render({"--text", "x", "--view", "circle", "--out", out}), 2, "--view");
        HS_REFUSED(render({"--out", out}), 2, "--text");
        HS_REFUSED(render({"--text", "x"}), 2, "--out");
        HS_REFUSED(render({"--text", "x", "--run", "b", "--out", out}), 1, "no variant B");
        HS_REFUSED(
            render({"--text", "x", "--text-b", "x y z", "--run", "difference", "--out", out}), 1,
            "the same number");
        HS_REFUSED(render({"--text", "x", "--options", "fast", "--out", out}), 1, "NAME=VALUE");
        HS_REFUSED(render({"--text", "x", "--size", "wide", "--out", out}), 2, "--size");
        HS_REFUSED(render({"--text", "x", "--numbers", m_folder.filePath("out/n.xls")}), 1, ".csv");
        HS_REFUSED(render({"--session", m_folder.filePath("missing.hscope"), "--out", out}), 1,
                   "missing.hscope");
        HS_REFUSED(render({"--text", "x", "--model-b", "builtin:none", "--out", out}), 1, "model");
        HS_REFUSED(render({"--text", "x", "--positions", "rop", "--out", out}), 1, "rope");
        QVERIFY(QDir(m_folder.filePath("out")).entryList(QDir::Files | QDir::Hidden).isEmpty());
    }

    void numbersOfBothRunsAndTheirDifferenceAreWritten()
    {
        const QStringList changed{"--text", "the cat sat", "--ablate", "L0H0", "--layer", "1"};
        std::map<QString, Tensor> runs;
        for (const char* run : {"a", "b", "difference"}) {
            const QString out = m_folder.filePath(QString(run) + ".npy");
            HS_DONE(render(changed + QStringList{"--run", run, "--numbers", out}));
            runs[run] = loadNpy(out.toStdString());
        }
        const QString trace = m_folder.filePath("ablated.safetensors");
        HS_DONE(runHeadscope({"trace", "--model", m_model, "--device", "cpu", "--text",
                              "the cat sat", "--ablate", "L0H0", "--out", trace}));
        const auto pattern = openTraceFile(trace.toStdString()).trace->find({Site::Pattern, 1});
        double moved = 0.0;
        for (std::size_t cell = 0; cell < runs["a"].size(); ++cell) {
            QCOMPARE(runs["b"].data()[cell], pattern->data()[cell]); // of head 0
            QCOMPARE(runs["difference"].data()[cell],
                     runs["b"].data()[cell] - runs["a"].data()[cell]);
            moved += std::abs(double{runs["difference"].data()[cell]});
        }
        QVERIFY(moved > 1e-6);
    }

    void editedWeightsAreInB()
    {
        const QStringList changed{"--text", "the cat sat", "--edit", "blocks.0.attn[H0,H1]=swap"};
        std::map<QString, Tensor> patterns;
        for (const char* run : {"a", "b"})
            for (const char* head : {"0", "1"}) {
                const QString out = m_folder.filePath(QString(run) + head + ".npy");
                HS_DONE(
                    render(changed + QStringList{"--run", run, "--head", head, "--numbers", out}));
                patterns[QString(run) + head] = loadNpy(out.toStdString());
            }
        double moved = 0.0;
        for (std::size_t cell = 0; cell < patterns["a0"].size(); ++cell) {
            QVERIFY(std::abs(patterns["b0"].data()[cell] - patterns["a1"].data()[cell]) < 1e-6F);
            QVERIFY(std::abs(patterns["b1"].data()[cell] - patterns["a0"].data()[cell]) < 1e-6F);
            moved += std::abs(double{patterns["a0"].data()[cell] - patterns["a1"].data()[cell]});
        }
        QVERIFY(moved > 1e-6);
        const QString out = m_folder.filePath("out/edited.svg");
        HS_REFUSED(render({"--text", "x", "--edit", "blocks.7.attn.W_Q*=0", "--out", out}), 1,
                   "no such weight matrix");
        HS_REFUSED(render({"--text", "x", "--edit", "nonsense", "--out", out}), 1,
                   "no weight edit");
        QVERIFY(!QFile::exists(out));
    }

    void aChatIsDrawnAsItsTokens()
    {
        const QTemporaryDir folder; // a model without a tokenizer: numbers are ids
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
        const auto numbers = [&](const QStringList& input) {
            const QString out = folder.filePath("numbers.npy");
            const Outcome outcome = runHeadscope(QStringList{"render", "--model", folder.path(),
                                                             "--device", "cpu", "--numbers", out} +
                                                 input);
            return outcome.status == 0 ? loadNpy(out.toStdString()) : Tensor();
        };
        const Tensor chat = numbers({"--chat", folder.filePath("chat.json")});
        const Tensor text = numbers({"--text", "5 2 7"});
        QCOMPARE(chat.size(), std::size_t{9});
        QVERIFY(std::ranges::equal(chat.values(), text.values()));
        const QString out = m_folder.filePath("out/chat.svg");
        const QString file = folder.filePath("chat.json");
        HS_REFUSED(render({"--chat", file, "--out", out}), 1, "no chat template");
        HS_REFUSED(render({"--chat", file, "--text", "x", "--out", out}), 2, "--chat");
        QVERIFY(!QFile::exists(out));
    }

    void withoutAModelTheFirstBuiltInOneIsDrawn()
    {
        const QString out = m_folder.filePath("builtin.svg");
        HS_DONE(runHeadscope({"render", "--device", "cpu", "--text", "the cat sat", "--out", out}));
        QVERIFY(QFile::exists(out));
    }

    void aFigureDrawsItselfAgain()
    {
        const QString out = m_folder.filePath("self.png");
        HS_DONE(render({"--text", "the cat sat", "--layer", "1", "--mask", "window:2", "--theme",
                        "dark", "--query", "1", "--out", out}));
        for (const char* name : {"again.png", "again.svg"}) {
            const QString again = m_folder.filePath(name);
            HS_DONE(runHeadscope({"render", "--session", out, "--theme", "dark", "--out", again}));
        }
        QVERIFY(QImage(m_folder.filePath("again.png")) == QImage(out));
        const QString third = m_folder.filePath("third.png");
        HS_DONE(runHeadscope({"render", "--session", m_folder.filePath("again.svg"), "--theme",
                              "dark", "--out", third}));
        QVERIFY(QImage(third) == QImage(out));
        HS_DONE(runHeadscope(
            {"render", "--session", out, "--theme", "dark", "--run", "a", "--out", third}));
        QVERIFY(QImage(third) != QImage(out));
    }

    void everyNamedViewAnswers()
    {
        const Outcome help = runHeadscope({"render", "--help"});
        const QString views =
            QString::fromUtf8(help.out).section("--view", 1).section("{", 1).section("}", 0, 0);
        QVERIFY2(views.split(',').size() >= 5, help.out.constData());
        for (const QString& view : views.split(',')) {
            const QString out = m_folder.filePath("view.svg");
            const Outcome outcome = render({"--text", "the cat sat", "--mask", "none", "--view",
                                            view, "--out", out, "--scale", "2"});
            if (outcome.status == 1) { // needs what a small decoder has not: cross-attention
                HS_REFUSED(outcome, 1, "nothing to draw");
                continue;
            }
            HS_DONE(outcome);
            QFile file(out);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray svg = file.readAll();
            QVERIFY2(!svg.contains("fill=\"\""), qPrintable(view));
            QVERIFY2(svg.contains("headscope-session"), qPrintable(view));
        }
    }

    void aFigureOpensTheWindow()
    {
        const QString figure = m_folder.filePath("window.svg");
        HS_DONE(render({"--text", "the cat sat", "--mask", "none", "--out", figure}));
        const QString out = m_folder.filePath("opened.png");
        HS_DONE(runHeadscope({figure, "--screenshot", out, "--size", "1400x900"}));
        QCOMPARE(QImage(out).size(), QSize(1400, 900));
        HS_REFUSED(runHeadscope({m_folder.filePath("missing.hscope")}), 2, "missing.hscope");
    }

    void openIsACommandToo()
    {
        const QString page = m_folder.filePath("window.html");
        HS_DONE(render({"--text", "the cat sat", "--mask", "none", "--out", page}));
        const QString out = m_folder.filePath("opened-page.png");
        HS_DONE(runHeadscope({"open", page, "--screenshot", out, "--size", "1400x900"}));
        QCOMPARE(QImage(out).size(), QSize(1400, 900));
        HS_REFUSED(runHeadscope({"open", m_folder.filePath("missing.html")}), 2, "missing.html");
        HS_REFUSED(runHeadscope({"open"}), 2, "PATH");
    }

    void thePicturesOfTheWindowBeatTheObviousWay()
    {
        const Outcome outcome = runHeadscope({"bench", "render", "--rounds", "3", "--json"});
        HS_DONE(outcome);
        std::map<std::string, double> ratios;
        const auto report = outcome.json(); // lives as long as its rows are read
        for (const auto& row : report.at("results")) {
            QVERIFY(row.at("median_ms").get<double>() > 0.0);
            ratios[row.at("case")] = row.at("times_faster");
        }
        for (const char* name : {"heads 12x12", "heads 30x32", "map 1024x1024", "arcs 64x12"})
            QVERIFY2(ratios.count(name) == 1 && ratios[name] > 1.0, outcome.out.constData());
        for (const char* name : {"arcs 64x12 hover", "positions 64x512", "loss chart 10000"})
            QVERIFY2(ratios.count(name) == 1, outcome.out.constData());
    }

    void theWindowIsDrivenAndEveryActionTimed()
    {
        const Outcome outcome = runHeadscope({"bench", "window", "--model", m_model, "--device",
                                              "cpu", "--tokens", "6", "--page", "arcs", "--json"});
        HS_DONE(outcome);
        std::set<std::string> actions;
        const auto report = outcome.json(); // lives as long as its rows are read
        for (const auto& row : report.at("results")) {
            QCOMPARE(row.at("page").get<std::string>(), std::string("arcs"));
            QVERIFY(row.at("tokens").get<int>() >= 6);
            QVERIFY(row.at("longest_ms").get<double>() > 0.0 && row.at("cpu_ms").get<double>() > 0);
            QCOMPARE(row.at("idle").get<std::string>(), std::string("yes"));
            actions.insert(row.at("action"));
        }
        for (const char* action : {"open", "type", "last head", "pin", "pointer", "arrows",
                                   "change", "difference", "run B", "run A", "resize"})
            QVERIFY2(actions.count(action) == 1, action);
        HS_REFUSED(runHeadscope({"bench", "window", "--page", "nowhere"}), 1, "nowhere");
    }

    void theWindowIsWrittenAsAPicture()
    {
        const QString out = m_folder.filePath("window.png");
        HS_DONE(runHeadscope({"--model", m_model, "--text", "the cat", "--device", "cpu",
                              "--screenshot", out, "--size", "1600x1000"}));
        QCOMPARE(QImage(out).size(), QSize(1600, 1000));
    }

private:
    QByteArray contentOf(const QString& name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static QString captured(const QString& name)
    {
        return QString(HEADSCOPE_TEST_DATA "/captured/%1.safetensors").arg(name);
    }

    Outcome render(const QStringList& arguments) const
    {
        return runHeadscope(QStringList{"render", "--model", m_model, "--device", "cpu"} +
                            arguments);
    }

    QImage image(const QStringList& arguments) const
    {
        const QString out = m_folder.filePath("compared.png");
        const Outcome outcome =
            render(QStringList{"--text", "the cat sat", "--out", out} + arguments);
        return outcome.status == 0 ? QImage(out) : QImage();
    }

    QTemporaryDir m_folder;
    QString m_model;
};

HEADSCOPE_TEST(TstRenderCommand)
#include "tst_render_command.moc"
