// labels: threads
#include "core/analysis/causal/hidden_state_sweep.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/causal/causal_cards.h"
#include "ui/pages/causal/causal_cost.h"
#include "ui/pages/causal/causal_figure.h"
#include "ui/pages/causal/causal_map.h"
#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/causal/causal_page.h"
#include "ui/pages/causal/fact_path_content.h"
#include "ui/pages/causal/sweep_content.h"
#include "ui/widgets/charts/points/scatter_widget.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/score_table.h"

#include <QAccessible>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

struct Fixture : SessionFixture
{
    explicit Fixture(const QString& text = "the cat sat on a mat")
        : SessionFixture(text)
        , view(session)
    {
        view.resize(1200, 760);
        view.show();
    }

    const CausalChoice& choice() const { return childOf<CausalMeasurement>(view).choice(); }

    /// Of the running model, by a pass of its own with interventions.
    double metricWith(const QString& text, const Interventions& interventions) const
    {
        const GradientTarget metric = metricFor(session.viewSnapshot(), choice());
        const TracePtr trace = run(text, interventions);
        return metricOf(metric, trace->tokens().ids(), trace->find({Site::Logits, 0})->view());
    }

    void choose(QJsonObject changes)
    {
        QJsonObject options = view.options();
        for (auto it = changes.begin(); it != changes.end(); ++it)
            options.insert(it.key(), it.value());
        view.setOptions(options);
    }

    const AblationSweep* sweep() const { return childOf<CausalMeasurement>(view).sweep(); }

    const PatchGrid* grid() const { return childOf<CausalMeasurement>(view).grid(); }

    const FactPath* path() const { return childOf<CausalMeasurement>(view).path(); }

    ScoreTable& table() const { return childOf<ScoreTable>(view); }

    ScatterWidget& scatter() const { return childOf<ScatterWidget>(view); }

    CausalMap& map() const { return childOf<CausalMap>(view); }

    QString words() const { return childOf<TextLabel>(view, "words").text(); }

    CausalPage view;
};

LoadedModel withoutHead(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    ModelConfig config = model.model->config();
    config.languageHead = false;
    model.model = std::make_shared<const Model>(Model::initialised(config, 1));
    model.name = name;
    return model;
}

bool isNear(double got, double expected)
{
    return std::abs(got - expected) <= 1e-4 * (1.0 + std::abs(expected));
}

bool isBlank(const Figure& figure)
{
    return !figure.paint;
}

QImage painted(const Figure& figure)
{
    const Theme theme = Theme::light();
    const QSizeF size = figure.size(theme);
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    figure.paint(painter, QRectF({0, 0}, size), theme, {});
    return image;
}

} // namespace

class TstCausalView : public QObject
{
    Q_OBJECT

private slots:

    void headsAreSweptOnTheTypedText()
    {
        Fixture f;
        QTRY_VERIFY(f.sweep());
        const AblationSweep& sweep = *f.sweep();
        QCOMPARE(sweep.heads.size(), std::size_t(4));
        for (const HeadEffect& effect : sweep.heads) {
            Interventions interventions;
            interventions.ablatedHeads = {effect.head};
            QVERIFY(isNear(effect.metric, f.metricWith(f.session.text(), interventions)));
        }
        QCOMPARE(f.table().rows().size(), std::size_t(4));
        const auto& rows = f.table().rows();
        for (std::size_t row = 1; row < rows.size(); ++row)
            QVERIFY(std::abs(rows[row - 1].values[0]) >= std::abs(rows[row].values[0]));
        QCOMPARE(f.scatter().content().points.size(), std::size_t(4));
        // nobody chose a score: the text decides, here and wherever this is opened again
        QVERIFY(!f.view.options().contains("score"));
        QTRY_VERIFY(f.scatter().content().xName.contains(
            scoreTitle(comparedScore({}, scoreTrace(*f.session.traceA()).begin()->second))
                .toLower()));
        f.choose({{"score", "entropy"}});
        QCOMPARE(f.view.options().value("score").toString(), QString("entropy"));
        QVERIFY(f.scatter().content().xName.contains(scoreTitle(HeadScore::Entropy).toLower()));
    }

    void theTestsAreOfferedWithWhatTheyTake()
    {
        SessionFixture f;
        CausalMeasurement measurement(f.session);
        CausalCards cards(f.session, measurement);
        QTRY_VERIFY(f.isCurrent());
        cards.refresh();
        const auto cost = costOf(f.session.viewSnapshot(), CausalSection::Heads);
        QCOMPARE(cost->passes, 4.0); // 2 layers of 2 heads
        QVERIFY(childOf<TextLabel>(cards, "headsCost").text().startsWith("4 forward passes, "));
        auto& run = childOf<QPushButton>(cards, "headsRun");
        QVERIFY(run.isEnabled());
        // with an example as corrupted text
        QVERIFY(childOf<QPushButton>(cards, "patchRun").isEnabled());
        CausalChoice patch;
        patch.section = CausalSection::Patch;
        QVERIFY(childOf<TextLabel>(cards, "patchStart")
                    .text()
                    .endsWith(causalProblem(f.session.viewSnapshot(), patch)));
        run.click();
        QTRY_VERIFY(measurement.sweep());
        QCOMPARE(costText({1234.0, 0.05}), QString("1\u202F234 forward passes, less than 0.1 s"));
        QCOMPARE(costText({8.0, 2.46}), QString("8 forward passes, about 2.5 s"));
    }

    void aHeadIsChosenEverywhere()
    {
        Fixture f;
        QTRY_VERIFY(f.sweep());
        emit f.scatter().pointActivated(3);
        QCOMPARE(f.session.selection().layer, 1);
        QCOMPARE(f.session.selection().head, 1);
        QTRY_COMPARE(f.scatter().content().current, std::optional<int>(3));
        QTRY_VERIFY(f.table().currentRow() >= 0);
        QCOMPARE(f.table().rows()[static_cast<std::size_t>(f.table().currentRow())].name, "1.1");
        QTest::keyClick(&f.scatter(), Qt::Key_Left);
        QTRY_VERIFY(f.scatter().content().current != std::optional<int>(3));
    }

    void otherSettingsAreOtherTests()
    {
        Fixture f;
        QTRY_VERIFY(f.sweep());
        const double zero = f.sweep()->heads[0].metric;
        f.choose({{"replacement", "mean"}});
        QTRY_VERIFY(f.sweep());
        QVERIFY(f.sweep()->heads[0].metric != zero);
        f.choose({{"metric", "loss"}});
        QTRY_VERIFY(f.sweep());
        QVERIFY(isNear(f.sweep()->before, f.metricWith(f.session.text(), {})));
    }

    void anotherTextIsMeasuredAnew()
    {
        Fixture f;
        QTRY_VERIFY(f.sweep());
        const double before = f.sweep()->before;
        f.session.document().replaceText("the dog ran to the park");
        QTRY_VERIFY(f.sweep() && f.sweep()->before != before);
    }

    void resultsComeBackWithTheSession()
    {
        QJsonObject kept;
        {
            Fixture f;
            QTRY_VERIFY(f.sweep());
            kept = f.view.options();
        }
        Fixture f;
        f.view.hide(); // nothing is computed by itself then
        QTRY_VERIFY(f.isCurrent());
        f.view.setOptions(kept);
        QVERIFY(f.sweep());
        QVERIFY(f.view.isSettled());
        QCOMPARE(f.view.options(), kept);
        f.session.document().replaceText("the dog ran to the park");
        QTRY_VERIFY(f.isCurrent());
        QVERIFY(!f.sweep());
        QJsonObject wrong = kept;
        QJsonObject results = kept["results"].toObject();
        QJsonObject sweep = results["sweep"].toObject();
        sweep["before"] = 99.0;
        results["sweep"] = sweep;
        wrong["results"] = results;
        f.session.document().replaceText("the cat sat on a mat");
        QTRY_VERIFY(f.isCurrent());
        f.view.setOptions(wrong); // of other weights
        QVERIFY(!f.sweep());
    }

    void aPatchIsThatOfInterventions()
    {
        Fixture f;
        f.choose(
            {{"section", "patch"}, {"corrupted", "the cat xat on a mat"}, {"site", "resid_pre"}});
        QTRY_VERIFY(f.grid());
        const PatchGrid& grid = *f.grid();
        QVERIFY(isNear(grid.clean, f.metricWith("the cat sat on a mat", {})));
        QVERIFY(isNear(grid.corrupted, f.metricWith("the cat xat on a mat", {})));
        const TracePtr clean = f.run("the cat sat on a mat");
        Interventions interventions;
        const TraceKey key{Site::ResidPre, 1};
        interventions.patches = {{key, clean->find(key), {}, {1}}};
        QVERIFY(isNear(grid.metric(1, 1), f.metricWith("the cat xat on a mat", interventions)));
    }

    void theConeOfTheChosenCellIsMarked()
    {
        Fixture f;
        f.choose({{"section", "patch"},
                  {"corrupted", "the cat xat on a mat"},
                  {"row", 0},
                  {"column", 2}});
        QTRY_VERIFY(f.grid());
        const int columns = f.grid()->columns;
        const std::vector<bool>& marks = f.map().marks();
        QCOMPARE(marks.size(), static_cast<std::size_t>(2 * columns));
        for (int layer = 0; layer < 2; ++layer)
            for (int token = 0; token < columns; ++token)
                QCOMPARE(bool(marks[static_cast<std::size_t>(layer * columns + token)]),
                         layer == 0 ? token == 2 : token >= 2);
        QVERIFY(f.words().contains("restored"));
        QVERIFY(f.view.escape());
        QVERIFY(f.map().marks().empty());
        QVERIFY(!f.view.escape());
    }

    void aPatchBecomesAChange()
    {
        Fixture f;
        f.choose({{"section", "patch"},
                  {"corrupted", "the cat xat on a mat"},
                  {"row", 1},
                  {"column", 1}});
        QTRY_VERIFY(f.grid());
        QSignalSpy wanted(&f.view, &Page::pageWanted);
        for (QPushButton* button : f.view.findChildren<QPushButton*>())
            if (button->text() == "Apply as change")
                button->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(f.session.changes().patches.size(), std::size_t(1));
        QCOMPARE(f.session.changes().text, std::optional<QString>("the cat xat on a mat"));
        QTRY_VERIFY(f.isCurrent());
        const TracePtr b = f.session.traceB();
        const GradientTarget metric = metricFor(f.session.viewSnapshot(), f.choice());
        const double patched =
            metricOf(metric, b->tokens().ids(), b->find({Site::Logits, 0})->view());
        QTRY_VERIFY(f.grid());
        QVERIFY(isNear(f.grid()->metric(1, 1), patched));
    }

    void everySiteHasAGrid()
    {
        Fixture f;
        QTRY_VERIFY(f.isCurrent());
        for (const PatchSite site : patchSites(f.session.model().model->config())) {
            f.choose({{"section", "patch"},
                      {"corrupted", "the cat xat on a mat"},
                      {"site", nameOf(site)}});
            QTRY_VERIFY2(f.grid(), nameOf(site));
            QCOMPARE(f.grid()->site, site);
            QVERIFY(!isBlank(f.view.figure()));
        }
    }

    void stepsWalkAlongThePath()
    {
        Fixture f;
        f.choose({{"section", "path"}, {"corrupted", "the cat xat on a mat"}});
        f.view.start();
        QTRY_VERIFY(f.path());
        QCOMPARE(stepCount(*f.path()), 6);
        for (int step = 0; step < 6; ++step) {
            f.choose({{"step", step}});
            QVERIFY(f.path());
            QVERIFY(!f.words().isEmpty());
            QVERIFY(!painted(f.view.figure()).isNull());
        }
        f.choose({{"metric", "loss"}});
        QVERIFY(!f.path());
    }

    void whatCannotBeTestedIsSaid()
    {
        Fixture f("a");
        QTRY_VERIFY(f.isCurrent());
        f.choose({{"metric", "loss"}});
        const ViewSnapshot viewed = f.session.viewSnapshot();
        if (viewed.a->tokens().size() == 1)
            QVERIFY(causalProblem(viewed, f.choice()).contains("single token"));
        CausalChoice choice;
        choice.section = CausalSection::Patch;
        QVERIFY(causalProblem(viewed, choice).contains("second text"));
        ViewSnapshot captured = viewed;
        captured.modelA.model = nullptr;
        QVERIFY(!causalProblem(captured, {}).isEmpty());
        QVERIFY(isBlank(causalFigure(captured, {})));
    }

    void withoutALanguageHeadItsStatesAreWatched()
    {
        Session session({}, withoutHead);
        session.computation().setDevice("cpu");
        session.document().replaceText("the cat sat");
        session.models().open("silent");
        CausalPage view(session);
        view.resize(1200, 760);
        view.show();
        const auto& measured = childOf<CausalMeasurement>(view);
        QTRY_VERIFY(measured.sweep());
        const TraceKey last{Site::ResidPost, 1, Stack::Blocks};
        Tracer tracer(session.model(), std::make_unique<CpuAttention>());
        const TokenSequence tokens = session.traceA()->tokens();
        const auto plain = tracer.trace(tokens, TraceRequest::everything())->find(last);
        for (const HeadEffect& effect : measured.sweep()->heads) {
            Interventions interventions;
            interventions.ablatedHeads = {effect.head};
            const auto changed =
                tracer.trace(tokens, TraceRequest::everything(), interventions)->find(last);
            QVERIFY(isNear(effect.effect, turnOf(plain->view(), changed->view())));
        }
        const auto bars = view.findChildren<SegmentBar*>();
        const auto shows = [&](const QString& name) {
            return std::any_of(bars.begin(), bars.end(), [&](const SegmentBar* bar) {
                return bar->accessibleName() == name && bar->isVisible();
            });
        };
        QVERIFY(shows("Test"));
        QVERIFY(!shows("Metric"));
        QVERIFY(!shows("Replacement of a head's output"));
        QVERIFY(view.figure().caption.contains("final hidden states"));
        CausalChoice choice;
        choice.section = CausalSection::Path;
        QVERIFY(causalProblem(session.viewSnapshot(), choice).contains("predicts no tokens"));
    }

    void textsOfOtherLengthAreRefused()
    {
        Fixture f;
        f.choose({{"section", "patch"}, {"corrupted", "the dog"}});
        QTRY_VERIFY(f.isCurrent());
        f.view.start();
        QTRY_VERIFY(f.view.isSettled());
        QVERIFY(!f.grid());
    }

    void patchingOpensOnAnExample()
    {
        Fixture f;
        QTRY_VERIFY(f.isCurrent());
        f.choose({{"section", "patch"}});
        const ViewSnapshot view = f.session.viewSnapshot();
        QCOMPARE(causalProblem(view, f.choice()), QString());
        const QString text = corruptedText(view, f.choice());
        QVERIFY(!text.isEmpty() && text != f.session.text());
        QCOMPARE(view.modelA.tokenizer->encode(text.toStdString()).tokens.size(),
                 view.a->tokens().size());
        QTRY_COMPARE(f.view.findChild<QLineEdit*>()->text(), text);
        QTRY_VERIFY(f.grid()); // measured without a word typed
    }

    void sameTextsAreNotDefined()
    {
        Fixture f;
        f.choose({{"section", "patch"}, {"corrupted", "the cat sat on a mat"}});
        QTRY_VERIFY(f.grid());
        QVERIFY(f.words().startsWith("Not defined"));
    }

    void aRunIsCancelled()
    {
        Fixture f;
        QTRY_VERIFY(f.isCurrent());
        f.choose({{"replacement", "resample"}});
        f.view.start();
        if (f.view.isSettled())
            return; // it was quicker
        QVERIFY(f.view.escape());
        QVERIFY(f.view.isSettled());
    }

    void figuresHaveTheNumbers()
    {
        Fixture f;
        QTRY_VERIFY(f.sweep());
        QTRY_VERIFY(!f.table().rows().empty());
        const Figure figure = f.view.figure();
        QVERIFY(!painted(figure).isNull());
        QCOMPARE(figure.numbers.size(), std::size_t(1));
        QCOMPARE(figure.numbers.front().rows.size(), 4);
        QCOMPARE(figure.numbers.front().values.at({0, 0}),
                 static_cast<float>(f.table().rows().front().values[0]));
    }

    void brokenOptionsDoNoHarm()
    {
        Fixture f;
        QTRY_VERIFY(f.isCurrent());
        f.view.setOptions(
            {{"section", 7},
             {"position", 1 << 20},
             {"token", 1 << 28},
             {"row", -5},
             {"step", 1 << 20},
             {"results", QJsonObject{{"grid", QJsonObject{{"rows", 1 << 20}}}, {"sweep", "no"}}}});
        QVERIFY(!f.sweep());
        QVERIFY(!f.grid());
        QVERIFY(isBlank(f.view.figure()));
    }

    void readersFindTheCells()
    {
        Fixture f;
        f.choose({{"section", "patch"}, {"corrupted", "the cat xat on a mat"}});
        QTRY_VERIFY(f.grid());
        QAccessibleInterface* map = QAccessible::queryAccessibleInterface(&f.map());
        QVERIFY(map && map->tableInterface());
        QCOMPARE(map->tableInterface()->rowCount(), 2);
        QVERIFY(!map->text(QAccessible::Name).isEmpty());
    }
};

HEADSCOPE_WINDOW_TEST(TstCausalView)
#include "tst_causal_page.moc"
