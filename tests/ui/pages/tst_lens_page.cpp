#include "ui/pages/lens/lens_page.h"

#include "core/analysis/derivation/derivation.h"
#include "core/analysis/lens/tuned_lens_file.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/lens/lens_figure.h"
#include "ui/pages/lens/lens_readings.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/workers/training/lens_trainer.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

#include <cmath>
#include <fstream>

// labels: threads

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

struct Fixture : SessionFixture
{
    explicit Fixture(const QString& text = "the cat sat on a mat") : SessionFixture(text)
    {
        view = std::make_unique<LensPage>(session);
        view->resize(1150, 620);
        view->show();
        if (!QTest::qWaitFor([this] { return isRead(); }, 60'000))
            qFatal("no lens");
    }

    bool isRead()
    {
        QCoreApplication::processEvents();
        return isCurrent() && view->isSettled() && view->readout().view.a == session.traceA() &&
               view->readout().view.b == session.traceB();
    }

    LensGrid& gridWidget() const { return childOf<LensGrid>(*view); }

    const LensContent& grid() const { return gridWidget().content(); }

    LensChoice choice() const { return view->readout().choice; }

    BarsWidget& bars() const { return childOf<BarsWidget>(*view); }

    QString targetNote() const { return childOf<TextLabel>(*view, "targetNote").text(); }

    QPushButton& trainButton() const { return childOf<QPushButton>(*view, "train"); }

    StreamLens lensOf(const Trace& trace, bool halfSteps = false) const
    {
        StreamLensOptions options;
        options.halfSteps = halfSteps;
        options.targets = followingTokens(session.model().model->config(), trace);
        return streamLens(*session.model().model, trace, options);
    }

    void choose(LensMeasure measure) { press("measures", static_cast<int>(measure)); }

    void goTo(HeatmapCell cell)
    {
        gridWidget().setCurrent(cell);
        emit gridWidget().cellActivated(cell);
    }

    /// What the page says of the training, beside its button.
    QString trainingState() const { return view->findChild<QLabel*>("state")->text(); }

    void press(const QString& bar, int index) const
    {
        const auto buttons = view->findChild<SegmentBar*>(bar)->findChildren<QToolButton*>();
        QVERIFY(index < buttons.size());
        buttons[index]->click();
    }

    void type(const QString& text)
    {
        auto& token = childOf<QLineEdit>(*view, "token");
        token.setFocus();
        token.selectAll();
        QTest::keyClicks(&token, text);
        QTest::keyClick(&token, Qt::Key_Return);
    }

    /// A click where it is: in the event loop.
    bool train(int steps)
    {
        childOf<QSpinBox>(*view).setValue(steps);
        trainButton().click();
        return QTest::qWaitFor([this] { return isRead(); }, 60'000);
    }

    std::unique_ptr<LensPage> view;
};

bool isNear(double a, double b, double tolerance = 1e-5)
{
    return std::abs(a - b) < tolerance;
}

QString emptyText(const LensPage& view)
{
    const auto& empty = *view.findChild<EmptyState*>();
    QString words;
    for (const QLabel* label : empty.findChildren<QLabel*>())
        words += label->text() + QLatin1Char(' ');
    return empty.isHidden() ? QString() : words;
}

LoadedModel withoutHead(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    ModelConfig config = model.model->config();
    config.languageHead = false;
    model.model = std::make_shared<const Model>(Model::initialised(config, 1));
    model.name = name;
    return model;
}

} // namespace

class TstLensView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cellsAreWhatTheLensReads();
    void halfStepsAreColumnsMore();
    void measuresAreThoseOfTheTarget();
    void whatIsNotDefinedIsSaid();
    void theModelsAnswerIsItsFirst();
    void aTypedTokenIsFollowed();
    void aClickedBarIsFollowed();
    void aChangeIsSubtracted();
    void chartsGoThroughTheLayers();
    void aProbabilityHasAnOrigin();
    void otherNumbersSayWhyTheyHaveNone();
    void aTunedLensIsTrainedKeptAndFound();
    void trainingCanBeCancelled();
    void aDamagedFileIsSaid();
    void withoutAHeadThePageSaysSo();
    void aCapturedTraceSaysSo();
    void anEmptyTextAsksForOne();
    void optionsComeBack();
    void itsFigureHoldsTheNumbers();
    void itIsReadAloudAndDrivenByKeys();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstLensView::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
}

void TstLensView::cellsAreWhatTheLensReads()
{
    Fixture f;
    const StreamLens lens = f.lensOf(*f.session.traceA());
    QCOMPARE(f.grid().rows(), lens.rows());
    QCOMPARE(f.grid().columns(), 3);
    for (int row = 0; row < lens.rows(); ++row)
        for (int stage = 0; stage < 3; ++stage) {
            const std::size_t cell = f.grid().index({row, stage});
            QCOMPARE(f.grid().textOf({row, stage}),
                     labelOf(lens.ids[lens.topAt(row, stage)], f.session.model()));
            QCOMPARE(f.grid().values[cell], lens.probabilities[lens.topAt(row, stage)]);
        }
    QVERIFY(emptyText(*f.view).isEmpty());
}

void TstLensView::halfStepsAreColumnsMore()
{
    Fixture f;
    f.view->setOptions({{"half-steps", true}});
    QTRY_VERIFY(f.isRead());
    QCOMPARE(f.grid().columnLabels, (QStringList{"emb.", "0 att.", "0", "1 att.", "1"}));
    const StreamLens lens = f.lensOf(*f.session.traceA(), true);
    QCOMPARE(f.grid().values[f.grid().index({2, 3})], lens.probabilities[lens.topAt(2, 3)]);
}

void TstLensView::measuresAreThoseOfTheTarget()
{
    Fixture f;
    const StreamLens lens = f.lensOf(*f.session.traceA());
    const std::size_t cell = lens.at(2, 1);
    const auto shown = [&](LensMeasure measure) {
        f.choose(measure);
        return f.view->readout().valueAt({2, 1});
    };
    QCOMPARE(shown(LensMeasure::Probability), std::exp(lens.logProbabilities[cell]));
    QCOMPARE(shown(LensMeasure::Rank), static_cast<double>(lens.ranks[cell]));
    QCOMPARE(f.grid().textOf({2, 1}), count(lens.ranks[cell]));
    QCOMPARE(shown(LensMeasure::LogProbability), lens.logProbabilities[cell]);
    QCOMPARE(shown(LensMeasure::Entropy), lens.entropies[cell]);
    QCOMPARE(shown(LensMeasure::Divergence), lens.divergences[cell]);
    QCOMPARE(f.view->readout().valueAt({2, 2}), 0.0); // the last stage is the model
}

void TstLensView::whatIsNotDefinedIsSaid()
{
    Fixture f;
    f.view->setOptions({{"measure", "rank"}, {"target", "chosen"}, {"token", 99'999}});
    QTRY_VERIFY(f.isRead());
    QVERIFY(std::isnan(f.grid().values[f.grid().index({2, 0})]));
    QCOMPARE(f.grid().textOf({2, 0}), QString("\u2013"));
    QVERIFY(describeLensCell(f.grid(), {2, 0}).contains("not defined"));
    QVERIFY(f.targetNote().contains("not defined"));
    QVERIFY(cellText(f.view->readout(), {2, 0}).contains("not defined"));
    const LineChartContent none = probabilityChart(f.view->readout(), 2);
    QVERIFY(none.curves.empty() && none.note.contains("not defined"));
    f.choose(LensMeasure::Probability);
    QVERIFY(!f.view->numberAt({}));
    QVERIFY(f.view->whyNoNumber().contains("not defined"));
}

void TstLensView::theModelsAnswerIsItsFirst()
{
    Fixture f;
    f.choose(LensMeasure::Rank);
    const int last = f.grid().rows() - 1;
    QCOMPARE(f.view->readout().valueAt({last, 2}), 1.0); // no token follows
    QVERIFY(cellText(f.view->readout(), {last, 2}).contains("the model's prediction"));
    f.press("targets", 1);
    QTRY_VERIFY(f.isRead());
    for (int row = 0; row <= last; ++row)
        QCOMPARE(f.view->readout().valueAt({row, 2}), 1.0);
}

void TstLensView::aTypedTokenIsFollowed()
{
    Fixture f;
    f.choose(LensMeasure::Probability);
    f.type("a");
    QTRY_VERIFY(f.isRead());
    const TokenId id = f.session.model().tokenizer->encode("a", false).tokens.front().id;
    QVERIFY(f.choice().target == (LensTarget{LensTarget::Kind::Chosen, id}));
    for (const auto& target : f.view->readout().lens().targets)
        QVERIFY(target == id);
    f.type("#7");
    QTRY_VERIFY(f.isRead());
    QCOMPARE(f.choice().target.id, 7);
    f.type("zq zq");
    QVERIFY(f.targetNote().contains("tokens"));
    f.type("#99999");
    QVERIFY(f.targetNote().contains("not a token"));
}

void TstLensView::aClickedBarIsFollowed()
{
    Fixture f;
    f.goTo({1, 1});
    QCOMPARE(f.session.pair().query, 1);
    const StreamLens lens = f.lensOf(*f.session.traceA());
    QCOMPARE(f.bars().bars()[2].label, labelOf(lens.ids[lens.topAt(1, 1, 2)], f.session.model()));
    emit f.bars().barActivated(2);
    QTRY_VERIFY(f.isRead());
    QCOMPARE(f.choice().target.id, lens.ids[lens.topAt(1, 1, 2)]);
    QVERIFY(f.bars().bars()[2].subject);
}

void TstLensView::aChangeIsSubtracted()
{
    Fixture f;
    f.session.document().setHeadOff(0, 1, true);
    f.session.view().setShownVariant(headscope::ui::Variant::Difference);
    QTRY_VERIFY(f.isRead() && f.view->readout().isDifference());
    const StreamLens a = f.lensOf(*f.session.traceA());
    const StreamLens b = f.lensOf(*f.session.traceB());
    bool anyMark = false;
    for (int row = 0; row < a.rows(); ++row)
        for (int stage = 0; stage < 3; ++stage) {
            const bool differs = a.ids[a.topAt(row, stage)] != b.ids[b.topAt(row, stage)];
            QCOMPARE(f.grid().marked[f.grid().index({row, stage})], differs);
            anyMark = anyMark || differs;
        }
    QVERIFY(anyMark);
    f.choose(LensMeasure::LogProbability);
    QVERIFY(isNear(f.view->readout().valueAt({3, 1}),
                   b.logProbabilities[b.at(3, 1)] - a.logProbabilities[a.at(3, 1)], 1e-12));
    QVERIFY(f.grid().shades().isSigned());
    QCOMPARE(f.view->readout().valueAt({3, 0}), 0.0); // before any head
    f.session.view().setShownVariant(headscope::ui::Variant::B);
    QTRY_VERIFY(!f.view->readout().isDifference());
    QCOMPARE(f.view->readout().valueAt({3, 1}), b.logProbabilities[b.at(3, 1)]);
}

void TstLensView::chartsGoThroughTheLayers()
{
    Fixture f;
    const StreamLens lens = f.lensOf(*f.session.traceA());
    const LineChartContent chart = probabilityChart(f.view->readout(), 2);
    QCOMPARE(chart.curves.size(), std::size_t{1});
    QCOMPARE(chart.curves[0].points.size(), 3);
    QCOMPARE(chart.curves[0].points[1],
             QPointF(1.0, std::exp(lens.logProbabilities[lens.at(2, 1)])));
    QCOMPARE(rankChart(f.view->readout(), 2).curves[0].points[2].y(),
             static_cast<double>(lens.ranks[lens.at(2, 2)]));
    const LineChartContent nats = entropyChart(f.view->readout(), 2);
    QCOMPARE(nats.curves[0].points[1].y(), lens.entropies[lens.at(2, 1)]);
    QCOMPARE(nats.curves[1].points[1].y(), lens.divergences[lens.at(2, 1)]);
}

/// At the embeddings, between attention and MLP, and after a layer.
void TstLensView::aProbabilityHasAnOrigin()
{
    Fixture f;
    f.view->setOptions({{"half-steps", true}});
    QTRY_VERIFY(f.isRead());
    Tracer tracer(f.session.model(), std::make_unique<CpuAttention>());
    const TracePtr whole = tracer.trace(f.session.traceA()->tokens(), TraceRequest::everything());
    for (int stage = 0; stage < f.grid().columns(); ++stage) {
        f.goTo({2, stage});
        const MaybeNumber number = f.view->numberAt({});
        QVERIFY(number);
        const Derivation derivation = derive(*whole, *f.session.model().model, number->number);
        const double cell = double{f.grid().values[f.grid().index({2, stage})]};
        QVERIFY(isNear(derivation.recorded, cell));
        QVERIFY(isNear(derivation.recomputed, cell));
        const NumberRef logit = derivation.terms.front().factors.front().of;
        const Derivation below = derive(*whole, *f.session.model().model, logit);
        QVERIFY(isNear(below.recomputed, below.recorded, 1e-4));
        const NumberRef normed = below.terms.front().factors.front().of;
        QVERIFY(derive(*whole, *f.session.model().model, normed).agrees());
    }
}

void TstLensView::otherNumbersSayWhyTheyHaveNone()
{
    Fixture f;
    f.goTo({2, 1});
    QVERIFY(f.view->numberAt({}));
    f.choose(LensMeasure::Entropy);
    QVERIFY(!f.view->numberAt({}));
    QVERIFY(f.view->whyNoNumber().contains("whole vocabulary"));
    f.choose(LensMeasure::Probability);
    QVERIFY(f.view->numberAt({}));
}

void TstLensView::aTunedLensIsTrainedKeptAndFound()
{
    Fixture f;
    f.press("lenses", 1);
    QTRY_VERIFY(f.isRead());
    QVERIFY(emptyText(*f.view).contains("Train the tuned lens"));
    QVERIFY(f.trainButton().isVisible());
    QVERIFY(f.train(20));
    QVERIFY2(f.trainingState().contains("saved to"), qPrintable(f.trainingState()));
    QVERIFY(emptyText(*f.view).isEmpty());
    const auto file = findTunedLens(tunedLensFolders(f.session.model(), ownLensFolder()));
    QVERIFY(file);
    QVERIFY(file->string().starts_with(m_folder->path().toStdString()));
    const TunedLens tuned = loadTunedLens(*file, *f.session.model().model);
    QCOMPARE(tuned.steps, std::int64_t{20});
    StreamLensOptions options;
    options.halfSteps = false;
    options.tuned = &tuned;
    const StreamLens lens = streamLens(*f.session.model().model, *f.session.traceA(), options);
    f.choose(LensMeasure::Divergence);
    QCOMPARE(f.view->readout().valueAt({2, 1}), lens.divergences[lens.at(2, 1)]);
    QVERIFY(!f.view->numberAt({}));
    QVERIFY(f.view->whyNoNumber().contains("logit lens"));
    Fixture again;
    again.press("lenses", 1);
    QTRY_VERIFY(again.isRead());
    QVERIFY(again.trainingState().contains("from "));
    QCOMPARE(again.grid().rows(), f.grid().rows());
    again.session.models().open("other");
    QTRY_VERIFY(again.session.model().name == "other" && again.isRead());
    QVERIFY(again.trainingState().contains("no tuned lens yet"));
}

void TstLensView::trainingCanBeCancelled()
{
    Fixture f;
    f.press("lenses", 1);
    QTRY_VERIFY(f.isRead());
    childOf<QSpinBox>(*f.view).setValue(100'000);
    f.trainButton().click();
    QVERIFY(childOf<QPushButton>(*f.view, "cancel").isVisible());
    QVERIFY(!f.trainButton().isVisible());
    QTRY_VERIFY(f.trainingState().contains("step"));
    QTest::keyClick(f.view.get(), Qt::Key_Escape);
    QTRY_VERIFY(f.isRead());
    QVERIFY(f.trainingState().contains("Cancelled"));
    QVERIFY(f.trainButton().isVisible());
    QVERIFY(!findTunedLens(tunedLensFolders(f.session.model(), ownLensFolder())));
}

void TstLensView::aDamagedFileIsSaid()
{
    const LoadedModel model = headscope::test::tinyModel();
    const auto path = tunedLensFolders(model, ownLensFolder()).own;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "none";
    Fixture f;
    f.press("lenses", 1);
    QTRY_VERIFY(f.isRead());
    QVERIFY(!f.trainingState().isEmpty());
    QVERIFY(!f.trainingState().contains("no tuned lens yet"));
    QVERIFY(f.train(5)); // replaces it
    QVERIFY(f.trainingState().contains("saved to"));
}

void TstLensView::withoutAHeadThePageSaysSo()
{
    Session session({}, withoutHead);
    session.computation().setDevice("cpu");
    session.document().replaceText("the cat");
    session.models().open("silent");
    LensPage view(session);
    view.resize(1150, 620);
    view.show();
    QTRY_VERIFY(session.traceA() && view.isSettled());
    QTRY_VERIFY(emptyText(view).contains("no language head"));
    QVERIFY(!childOf<QPushButton>(view, "train").isVisible());
    QVERIFY(!view.figure().paint);
}

void TstLensView::aCapturedTraceSaysSo()
{
    Fixture f;
    f.session.models().openTrace(QString(HEADSCOPE_TEST_DATA "/captured/gpt2.safetensors"));
    QTRY_VERIFY(f.session.isCaptured());
    QTRY_VERIFY(emptyText(*f.view).contains("captured trace"));
    QCOMPARE(f.grid().rows(), 0);
}

void TstLensView::anEmptyTextAsksForOne()
{
    Fixture f("the cat");
    f.session.document().replaceText({});
    QTRY_VERIFY(!emptyText(*f.view).isEmpty());
    f.session.document().replaceText("a");
    QTRY_VERIFY(f.isRead() && f.grid().rows() == 1);
    QVERIFY(emptyText(*f.view).isEmpty());
}

void TstLensView::optionsComeBack()
{
    Fixture f;
    const QJsonObject options{{"measure", "rank"},  {"target", "chosen"}, {"token", 12},
                              {"half-steps", true}, {"lens", "logit"},    {"steps", 77},
                              {"stage", 3}};
    f.view->setOptions(options);
    QTRY_VERIFY(f.isRead());
    QCOMPARE(f.view->options(), options);
    QCOMPARE(f.grid().current->column, 3);
    f.view->setOptions({{"measure", "nonsense"}, {"stage", -7}, {"steps", -1}});
    QTRY_VERIFY(f.isRead());
    QCOMPARE(f.choice(), [] {
        LensChoice choice;
        choice.steps = 1;
        return choice;
    }());
}

void TstLensView::itsFigureHoldsTheNumbers()
{
    Fixture f;
    f.choose(LensMeasure::Entropy);
    const Figure figure = f.view->figure();
    QVERIFY(figure.paint && figure.caption.contains("logit lens"));
    QCOMPARE(figure.numbers.size(), std::size_t{1});
    const StreamLens lens = f.lensOf(*f.session.traceA());
    QCOMPARE(figure.numbers[0].values.at({2, 1}),
             static_cast<float>(lens.entropies[lens.at(2, 1)]));
    const Figure rendered = lensFigure(f.session.viewSnapshot(), f.view->options());
    QCOMPARE(rendered.numbers[0].values.at({2, 1}), figure.numbers[0].values.at({2, 1}));
    QVERIFY_THROWS_EXCEPTION(Error, lensFigure(f.session.viewSnapshot(), {{"lens", "tuned"}}));
}

void TstLensView::itIsReadAloudAndDrivenByKeys()
{
    Fixture f;
    f.view->focusMain();
    QCOMPARE(f.gridWidget().content().current->column, 2); // the last stage of the last token
    QTest::keyClick(&f.gridWidget(), Qt::Key_Left);
    QTest::keyClick(&f.gridWidget(), Qt::Key_Up);
    QCOMPARE(f.choice().stage, 1);
    QCOMPARE(f.session.pair().query, f.grid().rows() - 2);
    QVERIFY(f.gridWidget().accessibleDescription().contains("after layer 0"));
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&f.gridWidget());
    QVERIFY(table && table->text(QAccessible::Name).contains("tokens down"));
    for (const QWidget* widget : f.view->findChildren<QWidget*>()) {
        const bool reached = widget->focusPolicy() & Qt::TabFocus && widget->isVisible();
        QAccessibleInterface* face =
            reached ? QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget)) : nullptr;
        if (face && !qobject_cast<const QSpinBox*>(widget->parent()))
            QVERIFY2(!face->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
    }
}

HEADSCOPE_WINDOW_TEST(TstLensView)
#include "tst_lens_page.moc"
