// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/attention/qk_widget.h"
#include "ui/widgets/charts/distance/distance_chart.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/heatmap/lens_grid.h"

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

/// Where a page is clicked, and whether that has pinned something.
struct Pin
{
    QWidget* widget = nullptr;
    QPointF place;
    std::function<bool()> isPinned;
};

struct Fixture : WindowFixture
{
    Fixture()
    {
        window->resize(1600, 1000);
        ready();
    }

    void ready()
    {
        if (!QTest::qWaitFor([this] { return isPainted(); }))
            qFatal("no picture");
        QCoreApplication::processEvents();
    }

    template<class View>
    View& page() const
    {
        return headscope::ui::test::partOf<View>(*window);
    }

    bool pairIsPinned() const { return session.selection().pinned; }

    Pin cellOf(HeatmapWidget& map) const
    {
        return {&map, map.cellRect({2, 1}).center(), [this] { return pairIsPinned(); }};
    }

    Pin pinOf(const QString& name) const
    {
        if (name == "overview")
            return cellOf(childOf<HeatmapWidget>(page<OverviewPage>()));
        if (name == "head")
            return cellOf(childOf<HeatmapWidget>(page<HeadPage>()));
        if (name == "mask")
            return cellOf(childOf<MaskMap>(page<MaskPage>(), "mapA"));
        if (name == "what-if")
            return cellOf(childOf<HeatmapWidget>(page<WhatIfPage>(), "mapA"));
        if (name == "arcs") {
            auto& arcs = *page<ArcsPage>().findChild<ArcsWidget*>();
            return {arcs.viewport(), arcs.layoutNow().row({ArcSide::Query, 1}).center(),
                    [this] { return pairIsPinned(); }};
        }
        if (name == "qk") {
            auto& table = childOf<QkWidget>(page<QkPage>());
            return {table.viewport(), table.layoutNow().pairCell(2, 1).center(),
                    [&table] { return table.pinnedChannel().has_value(); }};
        }
        if (name == "distance") {
            auto& chart = childOf<DistanceChart>(page<DistancePage>());
            const double value = chart.content().curves.front().values[1];
            return {&chart, QPointF(chart.axes().x(1), chart.axes().y(value)),
                    [&chart] { return chart.pinned().has_value(); }};
        }
        if (name == "flow") {
            auto& graph = *page<FlowPage>().findChild<FlowWidget*>();
            return {&graph, graph.layoutNow().place({2, 2}),
                    [&graph] { return graph.content().pinned.has_value(); }};
        }
        auto& table = *page<NextTokenPage>().findChild<NextTokenTable*>();
        return {&table, table.rowRect(1).center(),
                [&table] { return table.current().has_value(); }};
    }
};

} // namespace

class TstPins : public QObject
{
    Q_OBJECT

private slots:

    void aSecondClickAndEscapeUndoAPin_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* name : {"overview", "head", "mask", "what-if", "arcs", "qk", "distance",
                                 "flow", "next-token"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void aSecondClickAndEscapeUndoAPin()
    {
        QFETCH(QString, page);
        Fixture f;
        f.window->showPage(page);
        f.ready();
        const Selection before = f.session.selection();
        for (const bool byKey : {false, true}) {
            const Pin pin = f.pinOf(page);
            QVERIFY(!pin.isPinned());
            QTest::mouseClick(pin.widget, Qt::LeftButton, Qt::NoModifier, pin.place.toPoint());
            f.ready();
            QTRY_VERIFY(pin.isPinned());
            if (byKey)
                QTest::keyClick(f.window->focusWidget(), Qt::Key_Escape);
            else
                QTest::mouseClick(pin.widget, Qt::LeftButton, Qt::NoModifier,
                                  f.pinOf(page).place.toPoint());
            f.ready();
            QTRY_VERIFY(!pin.isPinned());
            for (int more = 0; more < 3 && f.session.selection().pinned; ++more)
                QTest::keyClick(f.window->focusWidget(), Qt::Key_Escape);
            QCOMPARE(f.session.selection().pinned, before.pinned);
            QTest::mouseMove(f.window.get(), QPoint(2, 2));
        }
    }

    void escapePutsACarriedCellDown()
    {
        Fixture f;
        f.window->showPage("compare");
        f.ready();
        auto& page = f.page<ComparePage>();
        auto& gridA = *page.findChild<LensGrid*>("gridA");
        auto& gridB = *page.findChild<LensGrid*>("gridB");
        QTRY_VERIFY(gridA.content().rows() > 0);
        gridA.setFocus();
        gridA.setCurrent({1, 0});
        QTest::keyClick(&gridA, Qt::Key_Return);
        QVERIFY(gridA.content().picked);
        QTest::keyClick(&gridB, Qt::Key_Escape);
        QVERIFY(!gridA.content().picked);
        QVERIFY(f.session.changes().empty());
    }
};

HEADSCOPE_WINDOW_TEST(TstPins)
#include "tst_pins.moc"
