#include "core/analysis/causal/trace_change.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/changes/mask_brush.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/what_if/change_list.h"
#include "ui/pages/what_if/change_offers.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QAccessible>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

double numberAtTheEndOf(const QString& text)
{
    return text.section(' ', -1).replace(QChar(0x2212), '-').toDouble();
}

struct OffersFixture : SessionFixture
{
    OffersFixture() : page(session)
    {
        page.resize(1240, 760);
        page.show();
    }

    ChangeOffers& offers() const { return *page.findChild<ChangeOffers*>(); }

    ChangeList& list() const { return offers().list(); }

    /// All rows have their preview.
    bool isMeasured() const
    {
        if (!isCurrent() || list().changes().empty() || offers().isMeasuring())
            return false;
        for (int row = 0; row < static_cast<int>(list().changes().size()); ++row)
            if (list().effectText(row) == "computing")
                return false;
        return true;
    }

    int row(const QString& title) const
    {
        const auto& changes = list().changes();
        const auto found =
            std::find_if(changes.begin(), changes.end(), [&title](const PossibleChange& change) {
                return change.title.startsWith(title);
            });
        return found == changes.end() ? -1 : static_cast<int>(found - changes.begin());
    }

    WhatIfPage page;
};

} // namespace

class TstChangeOffers : public QObject
{
    Q_OBJECT

private slots:
    void everyRowHasTheEffectOfItsChange();
    void theEffectIsThatOfTheModelItself();
    void enterAppliesARowAndUndoBringsTheListBack();
    void aClickAppliesARow();
    void theListFollowsTextHeadAndPair();
    void typingCancelsThePreviews();
    void aScreenReaderFindsEveryRow();
    void rowsShareALargeWindow();
    void theMaskToPaintIsTheOneThatIsShown();
};

void TstChangeOffers::everyRowHasTheEffectOfItsChange()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    for (const char* title : {"Ablate head 0.0", "Block the first token", "Remove the causal mask",
                              "Window of 4", "Positions: ", "Exchange ", "Uniform row"})
        QVERIFY2(fixture.row(title) >= 0, title);
    for (int row = 0; row < static_cast<int>(fixture.list().changes().size()); ++row) {
        const ViewSnapshot view = fixture.session.viewSnapshot();
        const Changes changes = fixture.list().changes()[static_cast<std::size_t>(row)].changes;
        fixture.session.document().setChanges(changes, "applied");
        QTRY_VERIFY(fixture.isCurrent() && fixture.session.traceB());
        const auto last = static_cast<std::int64_t>(view.a->tokens().size()) - 1;
        const auto next = largestNextTokenChange(*view.a, last, *fixture.session.traceB(), last);
        QVERIFY(next);
        const double moved =
            movedWeight(view.a->find({Site::Pattern, 0})->view()[0],
                        fixture.session.traceB()->find({Site::Pattern, 0})->view()[0]);
        fixture.session.document().undoStack().undo();
        QTRY_VERIFY(!fixture.session.traceB() && fixture.isMeasured());
        const QString text = fixture.list().effectText(row);
        const double change = next->probabilityB - next->probabilityA;
        QVERIFY2(std::abs(numberAtTheEndOf(text) - change) < 6e-4, // three decimals are written
                 qPrintable(text + signedNumber(change, 6)));
        QVERIFY2(text.startsWith("map moved " + number(moved, 2)), qPrintable(text));
    }
}

/// Against a pass of its own, which shares no code with the previews.
void TstChangeOffers::theEffectIsThatOfTheModelItself()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    Interventions none;
    none.mask = AttentionMask{};
    const TracePtr b = fixture.run(fixture.session.text(), none);
    const double moved = movedWeight(fixture.session.traceA()->find({Site::Pattern, 0})->view()[0],
                                     b->find({Site::Pattern, 0})->view()[0]);
    QVERIFY(moved > 0.01);
    const QString text = fixture.list().effectText(fixture.row("Remove the causal mask"));
    QVERIFY2(text.startsWith("map moved " + number(moved, 2)), qPrintable(text));
    QVERIFY(fixture.list().effectText(fixture.row("Ablate head")).startsWith("map moved 0.00"));
}

void TstChangeOffers::enterAppliesARowAndUndoBringsTheListBack()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    QVERIFY(fixture.list().isVisible());
    childOf<HeatmapWidget>(fixture.page, "mapB").setFocus();
    QTest::keyClick(&childOf<HeatmapWidget>(fixture.page, "mapB"), Qt::Key_Tab);
    QCOMPARE(fixture.page.focusWidget(), &fixture.list());
    QTest::keyClick(&fixture.list(), Qt::Key_Down);
    QCOMPARE(fixture.list().currentItem(), std::optional(1));
    const PossibleChange change = fixture.list().changes()[1];
    QTest::keyClick(&fixture.list(), Qt::Key_Return);
    QCOMPARE(fixture.session.changes(), change.changes);
    QCOMPARE(fixture.session.document().undoStack().undoText(), change.step);
    QCOMPARE(fixture.page.focusWidget(), &childOf<HeatmapWidget>(fixture.page, "mapB"));
    QTRY_VERIFY(!fixture.list().isVisible());
    QTRY_VERIFY(!fixture.page.findChild<HeatmapWidget*>("difference")->content().matrix.isEmpty());
    fixture.session.document().undoStack().undo();
    QTRY_VERIFY(fixture.list().isVisible());
    QVERIFY(fixture.session.changes().empty());
}

void TstChangeOffers::aClickAppliesARow()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    QTest::mouseClick(&fixture.list(), Qt::LeftButton, {},
                      fixture.list().rowRect(0).center().toPoint());
    QVERIFY(fixture.session.changes().isOff({0, 0}));
    QTRY_VERIFY(!fixture.list().isVisible());
}

void TstChangeOffers::theListFollowsTextHeadAndPair()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    fixture.session.view().activateHead(1, 1);
    fixture.session.view().selectPair(4, 2);
    QTRY_VERIFY(fixture.isMeasured() && fixture.row("Ablate head 1.1") >= 0);
    const int exchange = fixture.row("Exchange ");
    QVERIFY(exchange >= 0);
    const auto& swaps = fixture.list().changes()[static_cast<std::size_t>(exchange)].changes.swaps;
    QCOMPARE(swaps.size(), std::size_t(2));
    QCOMPARE(swaps[0].position, 2);
    QCOMPARE(swaps[1].position, 4);
    fixture.session.document().replaceText("the");
    QTRY_VERIFY(fixture.isMeasured() && fixture.row("Window") < 0);
    fixture.session.document().replaceText({});
    QTRY_VERIFY(!fixture.list().isVisible());
}

/// A pass of the text never waits for a preview.
void TstChangeOffers::typingCancelsThePreviews()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    fixture.session.view().activateHead(1, 1);
    fixture.offers().refresh(fixture.session.viewSnapshot());
    QVERIFY(fixture.offers().isMeasuring());
    fixture.session.document().setText("the cat sat on a mats");
    QVERIFY(fixture.session.computation().isRunning());
    fixture.offers().refresh(fixture.session.viewSnapshot());
    QVERIFY(!fixture.offers().isMeasuring());
    QTRY_VERIFY(fixture.isMeasured());
}

void TstChangeOffers::aScreenReaderFindsEveryRow()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    QCOMPARE(fixture.list().accessibleName(), QString("Possible changes"));
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&fixture.list());
    QVERIFY(list);
    QCOMPARE(list->childCount(), static_cast<int>(fixture.list().changes().size()));
    const QString name = list->child(0)->text(QAccessible::Name);
    QVERIFY2(name.contains("Ablate head 0.0") && name.contains("map moved 0.00"), qPrintable(name));
}

void TstChangeOffers::rowsShareALargeWindow()
{
    OffersFixture fixture;
    QTRY_VERIFY(fixture.isMeasured());
    const QSizeF small = fixture.list().thumbnailRect(0).size();
    fixture.page.resize(2300, 1300);
    QCoreApplication::processEvents();
    QVERIFY(fixture.list().thumbnailRect(0).height() > 1.5 * small.height());
    const int last = static_cast<int>(fixture.list().changes().size()) - 1;
    QVERIFY(fixture.list().rowRect(last).bottom() <= fixture.list().height());
}

void TstChangeOffers::theMaskToPaintIsTheOneThatIsShown()
{
    OffersFixture fixture;
    using Kind = MaskChange::Kind;
    for (const MaskChange& chosen :
         {MaskChange(), MaskChange{Kind::None, 4, {}, 0}, MaskChange{Kind::Window, 2, {}, 0}}) {
        fixture.session.document().setMask(chosen);
        QTRY_VERIFY(fixture.isCurrent());
        const ViewSnapshot view = fixture.session.viewSnapshot();
        const Trace& shown = *(view.b ? view.b : view.a);
        const HeatmapMatrix pattern = patternOf(shown, view.selection.headId());
        const HeatmapMask mask = maskOf(shown, view.selection.headId());
        const MaskChange painted = paintableMask(view);
        QCOMPARE(painted.side, pattern.rows);
        for (int query = 0; query < painted.side; ++query)
            for (int key = 0; key < painted.side; ++key)
                QCOMPARE(painted.cells[static_cast<std::size_t>(query * painted.side + key)] == 0,
                         mask.hides({query, key}, pattern));
    }
}

HEADSCOPE_WINDOW_TEST(TstChangeOffers)
#include "tst_change_offers.moc"
