// links: ui/pages
#include "core/analysis/flow/contributions.h"
#include "core/analysis/lens/lens_head.h"
#include "core/generate/sampling.h"
#include "core/io/checkpoint.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/overview/cross_content.h"
#include "ui/pages/overview/cross_page.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/positions/positions_plot.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/attention/qk_widget.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/distance/distance_chart.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/widgets/labels.h"

#include <QAction>
#include <QMenu>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

struct Fixture : WindowFixture
{
    Fixture()
    {
        window->resize(1600, 1000);
        ready();
    }

    void ready()
    {
        if (!QTest::qWaitFor([this] { return isPainted() && isWhole(); }))
            qFatal("no picture");
        constexpr int kRounds = 3; // new texts change sizes, new sizes change places
        for (int round = 0; round < kRounds; ++round)
            QCoreApplication::processEvents();
    }

    bool isWhole() const { return session.changes().empty() || session.traceB(); }

    template<class View>
    View& show(const QString& name)
    {
        window->showPage(name);
        ready();
        QCoreApplication::processEvents();
        return headscope::ui::test::partOf<View>(*window);
    }

    OriginPage& origin() { return headscope::ui::test::partOf<OriginPage>(*window); }

    /// What the page about origins says once its trace is there.
    double reported()
    {
        if (window->page() != QLatin1String("origin"))
            return std::nan("");
        ready();
        const auto& shown = childOf<TextLabel>(origin(), "number");
        if (!QTest::qWaitFor([&shown] { return shown.isVisible(); }))
            return std::nan("");
        return origin().derivation().recorded;
    }

    double byMouse(QWidget& widget, QPointF place)
    {
        QTest::mouseClick(&widget, Qt::LeftButton, Qt::ControlModifier, place.toPoint());
        return reported();
    }

    double byKey(QWidget& widget, Qt::Key key = Qt::Key_Return,
                 Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
    {
        widget.setFocus();
        QTest::keyClick(&widget, key, modifiers);
        return reported();
    }

    double weight(int layer, int head, int query, int key) const
    {
        return double{session.traceA()->find({Site::Pattern, layer})->view()(head, query, key)};
    }

    double probability(const Trace& trace, std::int64_t position, TokenId id) const
    {
        const TensorView row = trace.find({Site::Logits, 0})->view()[position];
        double sum = 0.0;
        for (std::int64_t other = 0; other < row.shape[0]; ++other)
            sum += std::exp(double{row(other)});
        return std::exp(double{row(id)}) / sum;
    }
};

bool isNear(double a, double b, double tolerance = 1e-6)
{
    const bool near = std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
    if (!near)
        qWarning("told %.9g, expected %.9g", a, b);
    return near;
}

} // namespace

class TstNumbers : public QObject
{
    Q_OBJECT

private slots:

    void overviewsMapAndThumbnails()
    {
        Fixture f;
        auto& page = f.show<OverviewPage>("overview");
        auto& map = childOf<HeatmapWidget>(page);
        QVERIFY(isNear(f.byMouse(map, map.cellRect({2, 1}).center()), f.weight(0, 0, 2, 1)));
        QVERIFY(f.origin().derivation().agrees());
        QVERIFY(f.origin().escape()); // back to where it came from
        QCOMPARE(f.window->page(), QString("overview"));
        f.session.view().selectPair(2, 0);
        f.ready();
        QVERIFY(isNear(f.byKey(map, Qt::Key_Return, Qt::NoModifier), f.weight(0, 0, 2, 0)));
        f.window->showPage("overview");
        auto& grid = *page.findChild<HeadGridWidget*>();
        const QPointF place = grid.layoutNow().headRect({1, 1}).center();
        QVERIFY(isNear(f.byMouse(grid, place), f.weight(1, 1, 2, 0)));
        f.window->showPage("overview");
        f.session.view().activateHead(1, 0);
        QVERIFY(isNear(f.byKey(grid), f.weight(1, 0, 2, 0)));
    }

    void headsTakesTheSelectedPair()
    {
        Fixture f;
        f.session.view().selectPair(2, 1);
        auto& page = f.show<HeadsPage>("heads");
        auto& grid = *page.findChild<HeadGridWidget*>();
        QVERIFY(isNear(f.byMouse(grid, grid.layoutNow().headRect({1, 0}).center()),
                       f.weight(1, 0, 2, 1)));
        f.window->showPage("heads");
        f.session.view().activateHead(0, 1);
        QVERIFY(isNear(f.byKey(grid), f.weight(0, 1, 2, 1)));
    }

    void headsMapInEveryKind()
    {
        Fixture f;
        auto& map = childOf<HeatmapWidget>(f.show<HeadPage>("head"));
        QVERIFY(isNear(f.byMouse(map, map.cellRect({1, 0}).center()), f.weight(0, 0, 1, 0)));
        for (const int kind : {1, 2}) {
            f.show<HeadPage>("head").setOptions(
                {{"kind", kind == 1 ? "scores" : "value-weighted"}});
            f.session.view().selectPair(2, 1);
            f.ready();
            const double shown = double{map.content().matrix.at({2, 1})};
            QVERIFY(isNear(f.byMouse(map, map.cellRect({2, 1}).center()), shown));
            QVERIFY(f.origin().derivation().agrees());
        }
        f.show<HeadPage>("head").setOptions({});
        f.session.view().selectPair(2, 2);
        f.ready();
        QVERIFY(isNear(f.byKey(map, Qt::Key_Return, Qt::NoModifier), f.weight(0, 0, 2, 2)));
    }

    void wordsAndRowsWithoutSpecialTokensAreSums()
    {
        Fixture f;
        f.session.document().setText("antidisestablish it");
        TokenDisplay display;
        display.grouping = TokenDisplay::Grouping::WordSum;
        f.session.view().setDisplay(display);
        f.ready();
        auto& map = childOf<HeatmapWidget>(f.show<HeadPage>("head"));
        QTRY_VERIFY(map.content().matrix.rows <
                    static_cast<int>(f.session.traceA()->tokens().size()));
        const double shown = double{map.content().matrix.at({1, 0})};
        QVERIFY(isNear(f.byMouse(map, map.cellRect({1, 0}).center()), shown));
        QVERIFY(f.origin().derivation().terms.size() > 2);
    }

    void arcsLinks()
    {
        Fixture f;
        auto& page = f.show<ArcsPage>("arcs");
        auto& arcs = *page.findChild<ArcsWidget*>();
        f.session.view().selectPair(2, -1);
        QTRY_VERIFY(arcs.content().pinned.has_value());
        const ArcEnd key{ArcSide::Key, 1};
        const QPointF place = arcs.layoutNow().row(key).center();
        const double expected = std::max(f.weight(0, 0, 2, 1), f.weight(0, 1, 2, 1));
        QTest::mouseClick(arcs.viewport(), Qt::LeftButton, Qt::ControlModifier, place.toPoint());
        QVERIFY(isNear(f.reported(), expected));
        f.window->showPage("arcs");
        double strongest = 0.0;
        for (int head = 0; head < 2; ++head)
            for (int other = 0; other < 3; ++other)
                strongest = std::max(strongest, f.weight(0, head, 2, other));
        QVERIFY(isNear(f.byKey(arcs), strongest));
    }

    void everyStageAndChannelOfQueryKey()
    {
        Fixture f;
        f.session.view().selectPair(2, 1);
        auto& page = f.show<QkPage>("qk");
        auto& table = childOf<QkWidget>(page);
        const int stages = static_cast<int>(table.content().stages.size());
        QVERIFY(stages >= 5);
        for (int stage = 0; stage < stages; ++stage) {
            const double shown = table.content().keys[1].numbers[static_cast<std::size_t>(stage)];
            const QPointF place = table.layoutNow().number(1, stage).center();
            QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::ControlModifier,
                              place.toPoint());
            QVERIFY2(isNear(f.reported(), shown, 1e-5), qPrintable(QString::number(stage)));
            QVERIFY(f.origin().derivation().agrees());
            f.show<QkPage>("qk");
        }
        const QkContent& content = table.content();
        const float values[] = {content.queryVector.at({0, 2}), content.keyVectors.at({1, 2}),
                                content.products.at({1, 2})};
        for (int strip = 0; strip < 3; ++strip) {
            const float shown = values[strip];
            const QPointF place = table.layoutNow().pairCell(strip, 2).center();
            QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::ControlModifier,
                              place.toPoint());
            QVERIFY(isNear(f.reported(), double{shown}));
            f.show<QkPage>("qk");
        }
        QVERIFY(isNear(f.byKey(table, Qt::Key_Return, Qt::NoModifier), f.weight(0, 0, 2, 1)));
        f.show<QkPage>("qk");
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Home); // pins the first dimension
        const double product = double{table.content().products.at({1, 0})};
        QVERIFY(isNear(f.byKey(table), product));
    }

    void distancesMeans()
    {
        Fixture f;
        auto& page = f.show<DistancePage>("distance");
        auto& chart = childOf<DistanceChart>(page);
        const DistanceContent content = chart.content();
        const int bin = 1;
        const auto& curve = content.curves.front();
        const QPointF place(chart.axes().x(bin),
                            chart.axes().y(curve.values[static_cast<std::size_t>(bin)]));
        const auto last = static_cast<int>(f.session.document().tokens().size()) - 1;
        const auto mean = [&](int head) {
            double sum = 0.0;
            for (int query = 1; query <= last; ++query)
                sum += f.weight(0, head, query, query - 1);
            return sum / last;
        };
        QVERIFY(isNear(f.byMouse(chart, place), mean(curve.head)));
        QCOMPARE(f.origin().derivation().terms.size(), static_cast<std::size_t>(last));
        f.show<DistancePage>("distance").setOptions({{"distance", 1}});
        f.ready();
        QVERIFY(isNear(f.byKey(chart, Qt::Key_Return, Qt::NoModifier), mean(0)));
        f.show<DistancePage>("distance").setOptions({});
        auto& grid = childOf<HeadGridWidget>(page);
        QTRY_VERIFY(page.distances().isDone());
        const double distance = page.distances().at({1, 1});
        QVERIFY(
            isNear(f.byMouse(grid, grid.layoutNow().headRect({1, 1}).center()), distance, 1e-5));
    }

    void flowsEdges_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("rollout") << static_cast<int>(FlowMode::Rollout);
        QTest::newRow("attention") << static_cast<int>(FlowMode::Attention);
        QTest::newRow("contribution") << static_cast<int>(FlowMode::Contribution);
    }

    void flowsEdges()
    {
        QFETCH(int, mode);
        Fixture f;
        auto& page = f.show<FlowPage>("flow");
        FlowOptions options;
        options.mode = static_cast<FlowMode>(mode);
        options.edge = FlowEdge{1, 2, 1};
        page.setOptions(options.toJson());
        f.ready();
        auto& graph = childOf<FlowWidget>(page);
        QTRY_VERIFY(graph.content().edge);
        const double fraction = double{graph.content().edge->fraction};
        QVERIFY(fraction > 0.0);
        QVERIFY(isNear(f.byKey(graph), fraction, 1e-5));
        f.show<FlowPage>("flow");
        options.edge.reset();
        page.setOptions(options.toJson());
        f.ready();
        const FlowLayout layout = graph.layoutNow();
        const QPointF node = layout.place({2, 2});
        const FlowEdge strongest = edgesInto(graph.drawn(), {2, 2}).front();
        QVERIFY(isNear(f.byMouse(graph, node), double{strongest.fraction}, 1e-5));
    }

    void whatIfsMapsAndPrediction()
    {
        Fixture f;
        f.session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        f.ready();
        auto& page = f.show<WhatIfPage>("what-if");
        const auto weightB = [&](int query, int key) {
            return double{f.session.traceB()->find({Site::Pattern, 0})->view()(0, query, key)};
        };
        auto& mapA = childOf<HeatmapWidget>(page, "mapA");
        QVERIFY(isNear(f.byMouse(mapA, mapA.cellRect({2, 1}).center()), f.weight(0, 0, 2, 1)));
        QVERIFY(f.origin().run() == headscope::ui::Variant::A);
        f.show<WhatIfPage>("what-if");
        QVERIFY(isNear(f.byMouse(childOf<HeatmapWidget>(page, "mapB"),
                                 childOf<HeatmapWidget>(page, "mapB").cellRect({0, 2}).center()),
                       weightB(0, 2)));
        QVERIFY(f.origin().run() == headscope::ui::Variant::B);
        f.show<WhatIfPage>("what-if");
        auto& difference = *page.findChild<HeatmapWidget*>("difference");
        QVERIFY(isNear(f.byMouse(difference, difference.cellRect({1, 0}).center()), weightB(1, 0)));
        const QString words = QString::number(weightB(1, 0) - f.weight(0, 0, 1, 0), 'g', 6);
        bool reported = false;
        for (const TextLabel* label : f.origin().findChildren<TextLabel*>())
            reported = reported || label->text().replace(QChar(0x2212), '-').contains(words);
        QVERIFY(reported); // the clicked difference stands beside it
        f.show<WhatIfPage>("what-if");
        auto& bars = *page.findChild<BarsWidget*>();
        const Bar first = bars.bars().front();
        QVERIFY(isNear(f.byMouse(bars, {20.0, 6.0}), first.value, 1e-5));
        f.show<WhatIfPage>("what-if");
        f.session.view().selectPair(2, 0);
        f.ready();
        QVERIFY(isNear(f.byKey(childOf<HeatmapWidget>(page, "mapB")), weightB(2, 0)));
    }

    void comparesLensCells()
    {
        Fixture f;
        Changes changes;
        changes.text = "the cat ran";
        f.session.document().setChanges(changes, "other");
        f.ready();
        auto& page = f.show<ComparePage>("compare");
        auto& gridA = *page.findChild<LensGrid*>("gridA");
        auto& gridB = *page.findChild<LensGrid*>("gridB");
        QTRY_VERIFY(gridB.content().rows() > 3);
        const auto expected = [&](const LoadedModel& model, const Trace& trace, int token,
                                  int layer) {
            const auto stream = trace.find({Site::ResidPost, layer});
            const Tensor logits = lensLogits(*model.model, stream->view());
            const TensorView row = logits.view()[token];
            const auto p =
                samplingDistribution({row.data, static_cast<std::size_t>(row.shape[0])}, {});
            return double{*std::max_element(p.begin(), p.end())};
        };
        QVERIFY(isNear(f.byMouse(gridA, gridA.cellRect({1, 0}).center()),
                       expected(f.session.model(), *f.session.traceA(), 1, 0), 1e-5));
        QVERIFY(f.origin().derivation().agrees());
        f.origin().goDown(f.origin().derivation().constants.front().of); // the logit
        QVERIFY(f.origin().derivation().agrees());
        QVERIFY(!f.origin().derivation().terms.empty());
        f.show<ComparePage>("compare");
        int row = 0; // a line of B alone
        while (page.comparison().lines[static_cast<std::size_t>(row)].a)
            ++row;
        const int token = *page.comparison().lines[static_cast<std::size_t>(row)].b;
        gridB.setCurrent({row, 1});
        QVERIFY(isNear(f.byKey(gridB), expected(f.session.model(), *f.session.traceB(), token, 1),
                       1e-5));
        QVERIFY(f.origin().run() == headscope::ui::Variant::B);
    }

    void nextTokensColumns()
    {
        Fixture f;
        auto& page = f.show<NextTokenPage>("next-token");
        auto& table = *page.findChild<NextTokenTable*>();
        const NextTokenRow row = page.content().rows.at(1);
        const int position = page.content().position;
        QVERIFY(
            isNear(f.byMouse(table, table.columnRect({1, NextTokenStage::Probability}).center()),
                   f.probability(*f.session.traceA(), position, row.id), 1e-5));
        QVERIFY(f.origin().derivation().agrees());
        f.show<NextTokenPage>("next-token");
        const double logit =
            double{f.session.traceA()->find({Site::Logits, 0})->view()(position, row.id)};
        QVERIFY(
            isNear(f.byMouse(table, table.columnRect({1, NextTokenStage::Logit}).center()), logit));
        f.show<NextTokenPage>("next-token");
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Down);
        const NextTokenRow first = page.content().rows.at(0);
        QVERIFY(isNear(f.byKey(table, Qt::Key_Return, Qt::NoModifier),
                       f.probability(*f.session.traceA(), position, first.id), 1e-5));
    }

    void positionsEntries()
    {
        Fixture f;
        auto& page = f.show<PositionsPage>("positions");
        auto& plot = *page.findChild<PositionsPlot*>();
        const QRectF upper = plot.layoutNow().upperTable();
        const QPointF place(plot.layoutNow().columnCentre(9), upper.y() + 2.0);
        const auto entry = plot.entryAt(place);
        QVERIFY(entry);
        QCOMPARE(entry->column, 9);
        const double shown = page.content().table.at(9, entry->row);
        QVERIFY(isNear(f.byMouse(plot, place), shown));
        f.show<PositionsPage>("positions").setPosition(5);
        QVERIFY(isNear(f.byKey(page), page.content().table.at(5, 0)));
    }

    void masksCells()
    {
        Fixture f;
        auto& page = f.show<MaskPage>("mask");
        auto& map = childOf<MaskMap>(page, "mapA");
        QVERIFY(isNear(f.byMouse(map, map.cellRect({2, 1}).center()), f.weight(0, 0, 2, 1)));
        f.show<MaskPage>("mask");
        f.byMouse(map, map.cellRect({0, 2}).center());
        QVERIFY(std::isinf(f.origin().derivation().recorded)); // hidden: a score of -inf
        QVERIFY(!f.origin().derivation().end.empty());
        f.show<MaskPage>("mask");
        map.setCurrentCell(HeatmapCell{1, 1});
        QVERIFY(isNear(f.byKey(map, Qt::Key_Return, Qt::NoModifier), f.weight(0, 0, 1, 1)));
    }

    void theContextMenuOffersIt()
    {
        Fixture f;
        auto& page = f.show<HeadPage>("head");
        auto& map = childOf<HeatmapWidget>(page);
        const QPoint place = map.cellRect({2, 0}).center().toPoint();
        QContextMenuEvent asks(QContextMenuEvent::Mouse, place, map.mapToGlobal(place));
        QCoreApplication::sendEvent(&map, &asks);
        auto* menu = page.findChild<QMenu*>();
        QVERIFY(menu);
        QVERIFY(menu->actions().front()->text().contains("come from"));
        menu->actions().front()->trigger();
        QVERIFY(isNear(f.reported(), f.weight(0, 0, 2, 0)));
    }

    void withoutANumberItIsSaid()
    {
        Fixture f;
        f.session.document().setText(QString());
        f.ready();
        auto& page = f.show<HeadPage>("head");
        page.traceNumber();
        QCOMPARE(f.window->page(), QString("head"));
        QVERIFY(f.window->messages().isVisible());
    }

    void everyPageNamesTheGesture()
    {
        Fixture f;
        // these show counts and measurements, no number of a trace
        const QStringList others{"architecture", "train",   "new-run", "runs",
                                 "experiments",  "example", "lab",     "lessons",
                                 "your-lesson",  "causal",  "weights"};
        headscope::ui::test::makeAllPages(*f.window);
        for (const Page* page : f.window->findChildren<Page*>()) {
            const bool names = page->hint().contains("origin") || page->hint().contains("behind");
            QVERIFY2(names != others.contains(page->objectName()), qPrintable(page->objectName()));
        }
    }

    void crossAttentionsMeans()
    {
        Settings settings(Settings::Storage::Memory);
        Session session({}, [](const std::string& name) {
            LoadedModel model = loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                               "resources/models/dates/model.safetensors");
            model.name = name;
            return model;
        });
        session.computation().setDevice("cpu");
        session.document().replaceText("march 5, 1987");
        MainWindow window(session, settings, {});
        window.resize(1600, 1000);
        window.show();
        session.models().open("builtin:dates");
        const auto ready = [&] {
            return session.traceA() &&
                   session.computation().shownTicket() == session.computation().postedTicket();
        };
        QTRY_VERIFY(ready());
        window.showPage("cross");
        auto& page = headscope::ui::test::partOf<CrossPage>(window);
        auto& map = page.findChild<LegendMap*>()->map();
        QTRY_VERIFY(!map.content().matrix.isEmpty());
        auto& origin = headscope::ui::test::partOf<OriginPage>(window);
        const double shown = double{map.content().matrix.at({3, 4})};
        QTest::mouseClick(&map, Qt::LeftButton, Qt::ControlModifier,
                          map.cellRect({3, 4}).center().toPoint());
        QCOMPARE(window.page(), QString("origin"));
        QTRY_VERIFY(ready() && isNear(origin.derivation().recorded, shown));
        origin.goDown(origin.derivation().terms.front().factors.front().of);
        QVERIFY(origin.derivation().agrees());
        window.showPage("cross");
        page.setOptions({});
        const auto content = [&] { return crossContent(session.viewSnapshot(), {}); };
        session.view().selectPair(content().pattern.rowTokens.at(2).front(), -1);
        QTRY_VERIFY(childOf<BarsWidget>(page).bars().at(2).subject);
        const double strongest = double{map.content().matrix.at({2, content().strongest[2]})};
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(ready() && isNear(origin.derivation().recorded, strongest));
    }
};

HEADSCOPE_WINDOW_TEST(TstNumbers)
#include "tst_numbers.moc"
