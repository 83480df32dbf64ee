#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/style/colour_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>
#include <memory>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

QToolButton* buttonNamed(QWidget& page, const QString& text)
{
    for (QToolButton* button : page.findChildren<QToolButton*>()) {
        if (button->text() == text && button->isVisible())
            return button;
    }
    return nullptr;
}

/// Waits until the button can be pressed.
void press(QWidget& page, const QString& text)
{
    QTRY_VERIFY2(buttonNamed(page, text) && buttonNamed(page, text)->isEnabled(),
                 qPrintable("no button " + text));
    QTest::mouseClick(buttonNamed(page, text), Qt::LeftButton);
}

void choose(QWidget& page, const QString& text)
{
    for (QComboBox* box : page.findChildren<QComboBox*>())
        if (const int index = box->findText(text); index >= 0) {
            box->setCurrentIndex(index);
            return;
        }
    QFAIL(qPrintable("no choice " + text));
}

void turnWheel(HeatmapWidget& map, QPointF at, int steps, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, map.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&map, &event);
}

/// Where a point of the widget lies in the matrix, fractions included.
QPointF placeInMatrix(const HeatmapWidget& map, QPointF at)
{
    const QRectF corner = map.cellRect({0, 0});
    return {(at.x() - corner.x()) / corner.width(), (at.y() - corner.y()) / corner.height()};
}

} // namespace

class TstHead : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
        m_session->computation().setDevice("cpu");
        m_session->document().setText("the cat sat on the mat");
        m_view = std::make_unique<HeadPage>(*m_session);
        m_view->resize(900, 760);
        m_view->show();
        m_session->models().open("tiny");
        QTRY_VERIFY(m_session->traceA());
        m_session->view().activateHead(1, 1);
        QTRY_VERIFY(shown().matrix.values.get() == patternNow().data);
        m_tokens = static_cast<int>(m_session->traceA()->tokens().size());
    }

    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }

    void theFocusFrameKeepsOffTheLegend()
    {
        HeatmapWidget& map = mapWidget();
        const auto* legend = map.parentWidget()->findChild<ColourBar*>();
        for (int height = 380; height < 900; height += 7)
            for (const bool sums : {false, true}) {
                m_view->findChild<QCheckBox*>()->setChecked(sums);
                m_view->resize(900, height);
                QCoreApplication::processEvents();
                const QRect frame = map.focusFrame().translated(map.pos());
                QVERIFY2(frame.bottom() < legend->y(), qPrintable(QString::number(height)));
                QVERIFY(frame.contains(map.layoutNow().cells().translated(map.pos()).toRect()));
            }
    }

    void sumsAreThoseOfTheTrace()
    {
        QCOMPARE(shown().rowSums.size(), static_cast<std::size_t>(m_tokens));
        const TensorView pattern = patternNow();
        for (int query = 0; query < m_tokens; ++query) {
            double row = 0.0;
            double received = 0.0;
            for (int other = 0; other < m_tokens; ++other) {
                row += double{pattern(query, other)};
                received += double{pattern(other, query)};
            }
            const auto place = static_cast<std::size_t>(query);
            QVERIFY(std::abs(shown().rowSums[place] - 1.0) < 1e-5);
            QVERIFY(std::abs(shown().rowSums[place] - row) < 1e-9);
            QVERIFY(std::abs(shown().columnSums[place] - received) < 1e-9);
        }
        QVERIFY(readOut().contains("row sum 1.000"));
    }

    void everyScaleIsSaidInWordsAndShadesByItsRule()
    {
        press(*m_view, "This head");
        QVERIFY(legendTitle().contains("scaled to this head"));
        float largest = 0.0F;
        for (int query = 0; query < m_tokens; ++query)
            for (int key = 0; key <= query; ++key)
                largest = std::max(largest, patternNow()(query, key));
        QCOMPARE(shown().scale.high, largest);

        press(*m_view, "Each row");
        QVERIFY(legendTitle().contains("each row"));
        for (int query = 0; query < m_tokens; ++query) {
            float most = 0.0F;
            for (int key = 0; key <= query; ++key)
                most = std::max(most, shown().shadeAt({query, key}));
            QCOMPARE(most, 1.0F);
        }

        press(*m_view, "Log");
        QVERIFY(legendTitle().contains("logarithmic"));
        const double weight = shown().matrix.at({2, 1});
        QVERIFY(std::abs(double{shown().shadeAt({2, 1})} -
                         std::max(0.0, 1.0 + std::log10(weight) / 4.0)) < 1e-5);

        press(*m_view, "Rank");
        QVERIFY(legendTitle().contains("rank"));
        int smaller = 0;
        int cells = 0;
        for (int query = 0; query < m_tokens; ++query) {
            for (int key = 0; key <= query; ++key) {
                ++cells;
                smaller += double{shown().matrix.at({query, key})} < weight ? 1 : 0;
            }
        }
        QVERIFY(std::abs(double{shown().shadeAt({2, 1})} - double(smaller) / (cells - 1)) < 1e-6);
        QVERIFY(legendTitle().contains(QString::number(cells)));

        press(*m_view, "0 to 1");
        QVERIFY(legendTitle().contains("fixed scale 0 to 1"));
        QVERIFY(shown().shades.isEmpty());
    }

    void scoresAreTheProductsOverTheRootOfTheirSize()
    {
        choose(*m_view, "Scores");
        const auto queries = m_session->traceA()->find({Site::Query, 1});
        const auto keys = m_session->traceA()->find({Site::Key, 1});
        const std::int64_t size = queries->shape()[2];
        double dot = 0.0;
        for (std::int64_t channel = 0; channel < size; ++channel)
            dot += double{queries->view()(3, 1, channel)} * double{keys->view()(2, 1, channel)};
        const double expected = dot / std::sqrt(static_cast<double>(size));
        QVERIFY(std::abs(double{shown().matrix.at({3, 2})} - expected) < 1e-5);
        QVERIFY(legendTitle().contains("scaled to this head"));
        QVERIFY(shown().rowSums.empty());
    }

    void theWheelEnlargesAroundThePointer()
    {
        m_session->document().replaceText(
            "the cat sat on the mat the cat sat on the mat the cat sat on");
        QTRY_VERIFY(shown().matrix.rows > 16); // so that enlarged it does not fit
        HeatmapWidget& map = mapWidget();
        const QPointF at = map.cellRect({9, 6}).center() + QPointF(3, 4);
        turnWheel(map, at, 1, Qt::NoModifier);
        QCOMPARE(map.zoomFactor(), 1.0);
        for (int step = 0; step < 3; ++step) // until both directions are cut
            turnWheel(map, at, 1, Qt::ControlModifier);
        const auto cell = map.cellAt(at);
        const QPointF before = placeInMatrix(map, at);
        const double factor = map.zoomFactor();
        turnWheel(map, at, 1, Qt::ControlModifier);
        QVERIFY(map.zoomFactor() > 1.2 * factor);
        const QPointF after = placeInMatrix(map, at);
        // cells begin on whole pixels, so places move by a fraction of a cell
        QVERIFY(std::abs(after.x() - before.x()) < 0.3 && std::abs(after.y() - before.y()) < 0.3);
        QVERIFY(cell);
        QCOMPARE(map.cellAt(at), cell);
        QTest::keyClick(&map, Qt::Key_Escape);
        QCOMPARE(map.zoomFactor(), 1.0);
        QTest::keyClick(&map, Qt::Key_Plus, Qt::ControlModifier);
        QVERIFY(map.zoomFactor() > 1.0);
        QTest::keyClick(&map, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(map.zoomFactor(), 1.0);
    }

    void aLargeTextIsReadableEnlargedAndFollowsTheHand()
    {
        HeatmapWidget map;
        map.resize(600, 600);
        constexpr int kTokens = 512;
        std::vector<float> values(static_cast<std::size_t>(kTokens) * kTokens, 0.25F);
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(std::move(values), kTokens, kTokens);
        map.setContent(content);
        map.setZoomable(true);
        const QPointF middle = map.layoutNow().viewport().center();
        map.zoomBy(1000.0, middle);
        QVERIFY(map.layoutNow().cellSize().width() >= 28.0); // wide enough for its number
        const HeatmapCell held = *map.cellAt(middle);
        const QPoint start = middle.toPoint();
        QTest::mousePress(&map, Qt::LeftButton, {}, start);
        QTest::mouseMove(&map, start + QPoint(40, 0));
        QMouseEvent drag(QEvent::MouseMove, QPointF(start + QPoint(130, 70)),
                         map.mapToGlobal(QPointF(start + QPoint(130, 70))), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&map, &drag);
        QTest::mouseRelease(&map, Qt::LeftButton, {}, start + QPoint(130, 70));
        QCOMPARE(map.cellAt(QPointF(start + QPoint(130, 70))), std::optional<HeatmapCell>(held));
        QVERIFY(!map.content().current); // a drag selects nothing
        QTest::mouseClick(&map, Qt::LeftButton, {}, start);
        QCOMPARE(map.content().current, map.cellAt(QPointF(start)));
        for (int step = 0; step < 40; ++step)
            QTest::keyClick(&map, Qt::Key_Right);
        QVERIFY(map.layoutNow().viewport().contains(map.cellRect(*map.content().current).center()));
    }

    void aClickPinsThePairAndEscapeReleasesIt()
    {
        HeatmapWidget& map = mapWidget();
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({4, 1}).center().toPoint());
        QCOMPARE(m_session->pair(), (TokenPair{4, 1}));
        QTRY_COMPARE(shown().current, std::optional<HeatmapCell>(HeatmapCell{4, 1}));
        const QString value = QString::number(double{patternNow()(4, 1)}, 'f', 3);
        QTRY_VERIFY2(readOut().contains("weight " + value), qPrintable(readOut()));
        QVERIFY(m_view->escape());
        QVERIFY(!m_session->selection().pinned);
        QVERIFY(!m_view->escape());
    }

    void theDifferenceIsBMinusAAndItsRowsSumToNothing()
    {
        m_session->document().setHeadOff(0, 0, true);
        QTRY_VERIFY(m_session->traceB());
        press(*m_view, QStringLiteral("B\u2212A"));
        QTRY_VERIFY(shown().scale.isSigned() && !shown().matrix.isEmpty());
        const auto b = m_session->traceB()->find({Site::Pattern, 1});
        const double expected = double{b->view()(1, 4, 2)} - double{patternNow()(4, 2)};
        QVERIFY(std::abs(double{shown().matrix.at({4, 2})} - expected) < 1e-6);
        QVERIFY(std::abs(shown().rowSums[4]) < 1e-5);
        QVERIFY(legendTitle().contains("difference"));
    }

    void wordsAreGroupedAsEverywhere()
    {
        TokenDisplay display;
        display.grouping = TokenDisplay::Grouping::WordSum;
        m_session->view().setDisplay(display);
        const auto groups = headMap(m_session->viewSnapshot(), {}).rowTokens;
        const int rows = static_cast<int>(groups.size());
        QVERIFY(rows < m_tokens);
        QTRY_COMPARE(shown().matrix.rows, rows);
        QCOMPARE(childOf<LegendMap>(*m_view).pairAt({rows - 1, 0}).query, groups.back().front());
        for (const double sum : shown().rowSums)
            QVERIFY(std::abs(sum - 1.0) < 1e-5);
    }

    void theFirstTokenIsHiddenAndRowsAreMarkedAsDivided()
    {
        m_session->view().selectPair(3, 0); // the selected key is hidden too
        TokenDisplay display;
        display.hideFirst = true;
        m_session->view().setDisplay(display);
        QTRY_COMPARE(shown().matrix.rows, m_tokens - 1);
        QCOMPARE(shown().matrix.columns, m_tokens - 1);
        QVERIFY(!shown().current);
        QCOMPARE(shown().queryRow, std::optional<int>(2));
        const double left = 1.0 - double{patternNow()(4, 0)};
        QVERIFY(left > kLeastFractionLeft);
        QVERIFY(std::abs(double{shown().matrix.at({3, 1})} - double{patternNow()(4, 2)} / left) <
                1e-5);
        double hidden = 0.0;
        for (int query = 1; query < m_tokens; ++query)
            hidden += double{patternNow()(query, 0)} / (m_tokens - 1);
        const ViewSnapshot view = m_session->viewSnapshot();
        QVERIFY(std::abs(headMap(view, {}).hiddenMass - hidden) < 1e-6);
        QVERIFY2(readOut().contains(hiddenMassText(view, hidden)), qPrintable(readOut()));
        QVERIFY(readOut().contains("hidden with the first token"));
        QVERIFY(legendTitle().contains("without the first token"));
        QVERIFY(m_view->figure().caption.contains("Hidden: the first token"));
        QCOMPARE(m_session->pair(), (TokenPair{3, 0}));
        choose(*m_view, "Scores"); // are not divided, so nothing is left out of them
        QTRY_COMPARE(shown().matrix.rows, m_tokens);
        QVERIFY(!legendTitle().contains("ablated"));
        m_session->document().replaceText("t");
        choose(*m_view, "Attention weights");
        QTRY_VERIFY2(readOut().contains("All tokens of this text are hidden"),
                     qPrintable(readOut()));
    }

    void aRowThatOnlyLooksAtTheFirstTokenStaysEmpty()
    {
        Tensor pattern({1, 3, 3});
        const float values[] = {1.0F, 0.0F, 0.0F, 0.996F, 0.004F, 0.0F, 0.5F, 0.125F, 0.375F};
        std::copy(std::begin(values), std::end(values), pattern.data());
        TokenSequence tokens = m_session->traceA()->tokens();
        tokens.tokens.resize(3);
        Trace::Activations activations;
        activations[{Site::Pattern, 0}] = std::make_shared<const Tensor>(std::move(pattern));
        ViewSnapshot view;
        view.modelA = m_session->model();
        view.a = std::make_shared<const Trace>(tokens, activations, TraceInfo{});
        view.display.hideFirst = true;
        const MapWithLegend map = headMap(view, {});
        QCOMPARE(map.faintRows, std::vector<int>{0});
        QVERIFY(map.map.isHidden({0, 0}));
        QVERIFY(!map.map.isHidden({1, 0}));
        QCOMPARE(map.map.matrix.at({1, 0}), 0.25F);
        QVERIFY(map.legend.swatch.contains("less than 1 % left"));
        QVERIFY(describeCell(map.map, {0, 0}).contains("too little"));
        QVERIFY(!mapNumber(view, headscope::ui::Variant::A, MapKind::Weights, {0, 0}));
        const auto number = mapNumber(view, headscope::ui::Variant::A, MapKind::Weights, {1, 1});
        QVERIFY(number);
        HiddenThumbnails thumbnails;
        const std::vector<ThumbnailPtr>* made = thumbnails.of(view);
        QVERIFY(made && made->size() == 1);
        QCOMPARE(made->front()->rows, 2);
        QCOMPARE(made->front()->levels[0], HeadThumbnail::kMasked);
        QCOMPARE(made->front()->levels[3], std::uint8_t{191}); // 254 x 0.75, rounded
        QCOMPARE(thumbnails.of(view)->front().get(), made->front().get());
        view.display.hideFirst = false;
        QVERIFY(!thumbnails.of(view));
    }

    void theOverviewsThumbnailsFollow()
    {
        OverviewPage overview(*m_session);
        overview.resize(1100, 760);
        overview.show();
        const auto& grid = childOf<HeadGridWidget>(overview);
        QTRY_COMPARE(grid.content().thumbnails.at(0)->rows, m_tokens);
        m_session->view().setDisplay({.hideFirst = true});
        QTRY_COMPARE(grid.content().thumbnails.at(0)->rows, m_tokens - 1);
        QVERIFY(overview.figure().caption.contains("without the first token"));
    }

    void theFigureHasTheSameNumbers()
    {
        m_view->setOptions({{"kind", "weights"}, {"scale", "log"}});
        QCOMPARE(m_view->options().value("scale").toString(), QString("log"));
        const Figure figure = m_view->figure();
        QCOMPARE(figure.title, QStringLiteral("Layer 1 · Head 1"));
        QVERIFY(figure.caption.contains("logarithmic"));
        const HeatmapMatrix& values = figure.numbers.at(0).values;
        QCOMPARE(values.rows, m_tokens);
        for (int query = 0; query < m_tokens; ++query)
            for (int key = 0; key < m_tokens; ++key)
                QCOMPARE(values.at({query, key}), patternNow()(query, key));
    }

    void theOverviewSortsEachLayerByTheScore()
    {
        OverviewPage overview(*m_session);
        overview.resize(1100, 760);
        overview.show();
        auto* sort = overview.findChild<QComboBox*>();
        sort->setFocus();
        sort->setCurrentIndex(sort->findData("entropy"));
        auto& grid = childOf<HeadGridWidget>(overview);
        QTRY_VERIFY(!grid.content().order.empty());
        const std::vector<int>& order = grid.content().order;
        for (int layer = 0; layer < 2; ++layer) {
            const int first = order[static_cast<std::size_t>(layer) * 2];
            QVERIFY(entropyOf(layer, first) >= entropyOf(layer, 1 - first));
            const QPointF left = grid.layoutNow().headRect({layer, first}).topLeft();
            const QPointF right = grid.layoutNow().headRect({layer, 1 - first}).topLeft();
            QVERIFY(left.x() < right.x());
        }
        QCOMPARE(overview.options().value("sort").toString(), QString("entropy"));
        QTest::keyClick(&grid, Qt::Key_Home);
        QCOMPARE(m_session->selection().head,
                 order[static_cast<std::size_t>(m_session->selection().layer) * 2]);
        QSignalSpy wanted(&overview, &Page::pageWanted);
        QTest::keyClick(&grid, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.at(0).at(0).toString(), QString("head"));
    }

    void anEmptyTextShowsNoCells()
    {
        m_session->document().replaceText(QString());
        QTRY_VERIFY(shown().matrix.isEmpty());
    }

private:
    HeatmapWidget& mapWidget() const { return childOf<HeatmapWidget>(*m_view); }

    const HeatmapContent& shown() const { return mapWidget().content(); }

    QString legendTitle() const { return childOf<ColourBar>(*m_view).content().title; }

    QString readOut() const { return m_view->findChild<QLabel*>("readOut")->text(); }

    TensorView patternNow() const
    {
        return m_session->traceA()->find({Site::Pattern, 1})->view()[1];
    }

    /// Mean over the queries from 1 on of H / ln(keys).
    double entropyOf(int layer, int head) const
    {
        const auto pattern = m_session->traceA()->find({Site::Pattern, layer});
        double sum = 0.0;
        for (int query = 1; query < m_tokens; ++query) {
            double entropy = 0.0;
            for (int key = 0; key <= query; ++key) {
                const double weight = pattern->view()(head, query, key);
                entropy -= weight > 0.0 ? weight * std::log(weight) : 0.0;
            }
            sum += entropy / std::log(query + 1.0);
        }
        return sum / (m_tokens - 1);
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<HeadPage> m_view;
    int m_tokens = 0;
};

HEADSCOPE_WINDOW_TEST(TstHead)
#include "tst_head.moc"
