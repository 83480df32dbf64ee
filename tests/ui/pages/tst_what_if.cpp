#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/pages/what_if/moved_heads.h"
#include "ui/pages/what_if/paint_picker.h"
#include "ui/pages/what_if/what_if_offers.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

struct PageFixture : SessionFixture
{
    PageFixture() : page(session)
    {
        page.resize(1240, 760);
        page.show();
    }

    /// A's picture is drawn, and B's where there is one.
    bool isDrawn() const
    {
        return isCurrent() && !mapB().content().matrix.isEmpty() &&
               mapB().content().matrix.values.get() ==
                   patternOf(*(session.traceB() ? session.traceB() : session.traceA()), {0, 0})
                       .values.get();
    }

    QPoint cell(int row, int column) const
    {
        return mapB().cellRect({row, column}).center().toPoint();
    }

    HeatmapWidget& mapA() const { return childOf<HeatmapWidget>(page, "mapA"); }

    HeatmapWidget& mapB() const { return childOf<HeatmapWidget>(page, "mapB"); }

    HeatmapWidget& difference() const { return *page.findChild<HeatmapWidget*>("difference"); }

    /// Where B moves weight.
    HeatmapWidget& where() const { return childOf<HeatmapWidget>(childOf<MovedHeads>(page)); }

    InlineEditor& editor() const { return childOf<InlineEditor>(page); }

    WhatIfOffers& offers() const { return *page.findChild<WhatIfOffers*>(); }

    /// Chooses what a drag on B's map does.
    void paint(int mode)
    {
        const auto* picker = page.findChild<PaintPicker*>();
        QTest::mouseClick(picker->findChildren<QToolButton*>()[mode], Qt::LeftButton);
    }

    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* map = &mapB();
        QTest::mousePress(map, Qt::LeftButton, modifiers, from);
        QMouseEvent move(QEvent::MouseMove, to, map->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         modifiers);
        QApplication::sendEvent(map, &move);
        QTest::mouseRelease(map, Qt::LeftButton, modifiers, to);
    }

    bool isBlocked(int query, int key) const
    {
        const MaskChange& mask = session.changes().mask;
        return mask.cells[static_cast<std::size_t>(query * mask.side + key)] == 0;
    }

    WhatIfPage page;
};

QAction* actionWith(QMenu& menu, const QString& words)
{
    emit menu.aboutToShow();
    for (QAction* action : menu.actions()) {
        if (action->text().contains(words))
            return action;
    }
    return nullptr;
}

} // namespace

class TstWhatIf : public QObject
{
    Q_OBJECT

private slots:
    void withoutChangesBIsA();
    void aDragBlocksCellsInOneStep();
    void shiftTakesThePaintingBack();
    void allowingShowsAKeyThatComesLater();
    void aFastStrokeLeavesNoHoles();
    void escapeLeavesAStrokeUndone();
    void spaceTurnsTheCurrentCell();
    void enterEditsTheCurrentWeight_data();
    void enterEditsTheCurrentWeight();
    void anEditorIsLeftByEscape();
    void aRowCanBeSpreadGatheredAndReset();
    void headsAreSwitchedOffByMenu();
    void onlyPossiblePositionsAreOffered();
    void anotherTokensEmbeddingIsUsed();
    void frozenPatternsStayWhileTheTextChanges();
    void theMapsShareOneCellSize();
    void theMapsHaveFixedScales();
    void theFigureHoldsTheNumbers();
    void anEmptyTextIsNoTrouble();
};

void TstWhatIf::withoutChangesBIsA()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    QVERIFY(fixture.difference().content().matrix.isEmpty());
    QCOMPARE(fixture.mapB().content().matrix.values, fixture.mapA().content().matrix.values);
}

void TstWhatIf::aDragBlocksCellsInOneStep()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    const int before = fixture.session.document().undoStack().count();
    fixture.paint(1);
    fixture.drag(fixture.cell(2, 1), fixture.cell(5, 1));
    QCOMPARE(fixture.session.document().undoStack().count(), before + 1);
    QCOMPARE(fixture.session.changes().mask.paintedCells(), 4);
    for (int query = 2; query <= 5; ++query)
        QVERIFY(fixture.isBlocked(query, 1));
    QTRY_VERIFY(fixture.isDrawn());
    for (int query = 2; query <= 5; ++query)
        QCOMPARE(fixture.mapB().content().matrix.at({query, 1}), 0.0F);
    QVERIFY(fixture.mapA().content().matrix.at({3, 1}) > 0.0F);
    QVERIFY(fixture.mapB().content().painted);
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::shiftTakesThePaintingBack()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.paint(1);
    fixture.drag(fixture.cell(2, 1), fixture.cell(5, 1));
    QTRY_VERIFY(fixture.isDrawn());
    fixture.drag(fixture.cell(3, 1), fixture.cell(4, 1), Qt::ShiftModifier);
    QVERIFY(fixture.isBlocked(2, 1) && fixture.isBlocked(5, 1));
    QVERIFY(!fixture.isBlocked(3, 1) && !fixture.isBlocked(4, 1));
}

void TstWhatIf::allowingShowsAKeyThatComesLater()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.paint(2);
    fixture.drag(fixture.cell(0, 3), fixture.cell(0, 3));
    QVERIFY(!fixture.isBlocked(0, 3));
    QTRY_VERIFY(fixture.isDrawn());
    QVERIFY(fixture.mapB().content().matrix.at({0, 3}) > 0.0F);
    QCOMPARE(fixture.mapA().content().matrix.at({0, 3}), 0.0F);
}

/// From the map to the left of it and back, a row lower, in three events.
void TstWhatIf::aFastStrokeLeavesNoHoles()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.paint(1);
    QWidget* map = &fixture.mapB();
    const QPoint left(0, 0);
    const auto outside = [&](int row) { return QPoint(left.x(), fixture.cell(row, 0).y()); };
    QTest::mousePress(map, Qt::LeftButton, {}, fixture.cell(4, 3));
    for (const QPoint to : {outside(4), outside(5), fixture.cell(5, 3)}) {
        QMouseEvent move(QEvent::MouseMove, to, map->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         {});
        QApplication::sendEvent(map, &move);
    }
    QTest::mouseRelease(map, Qt::LeftButton, {}, fixture.cell(5, 3));
    for (int key = 0; key <= 3; ++key)
        QVERIFY2(fixture.isBlocked(4, key) && fixture.isBlocked(5, key),
                 qPrintable(QString::number(key)));
}

void TstWhatIf::escapeLeavesAStrokeUndone()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.paint(1);
    QTest::mousePress(&fixture.mapB(), Qt::LeftButton, {}, fixture.cell(3, 1));
    QVERIFY(fixture.mapB().content().painted);
    QTest::keyClick(&fixture.mapB(), Qt::Key_Escape);
    QTest::mouseRelease(&fixture.mapB(), Qt::LeftButton, {}, fixture.cell(3, 1));
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::spaceTurnsTheCurrentCell()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.view().selectPair(3, 1);
    QTRY_COMPARE(fixture.mapB().content().current, (HeatmapCell{3, 1}));
    QTest::keyClick(&fixture.mapB(), Qt::Key_Space);
    QVERIFY(fixture.isBlocked(3, 1));
    QCOMPARE(fixture.session.changes().mask.paintedCells(), 1);
    QTRY_VERIFY(fixture.isDrawn());
    QTest::keyClick(&fixture.mapB(), Qt::Key_Space);
    QCOMPARE(fixture.session.changes().mask.paintedCells(), 0);
}

void TstWhatIf::enterEditsTheCurrentWeight_data()
{
    QTest::addColumn<bool>("rescale");
    QTest::newRow("the rest stays") << false;
    QTest::newRow("the rest is rescaled") << true;
}

void TstWhatIf::enterEditsTheCurrentWeight()
{
    QFETCH(bool, rescale);
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.view().selectPair(4, 2);
    QTRY_COMPARE(fixture.mapB().content().current, (HeatmapCell{4, 2}));
    QTest::keyClick(&fixture.mapB(), Qt::Key_Return);
    InlineEditor& editor = fixture.editor();
    QVERIFY(editor.isVisible());
    editor.field().setText("2");
    QTest::keyClick(&editor.field(), Qt::Key_Return);
    QVERIFY(editor.isVisible()); // no weight
    editor.field().setText("0,75");
    editor.check().setChecked(rescale);
    QTest::keyClick(&editor.field(), Qt::Key_Return);
    QVERIFY(!editor.isVisible());
    QTRY_VERIFY(fixture.isDrawn() && fixture.session.traceB());
    const HeatmapMatrix& a = fixture.mapA().content().matrix;
    const HeatmapMatrix& b = fixture.mapB().content().matrix;
    QCOMPARE(b.at({4, 2}), 0.75F);
    const float factor = rescale ? 0.25F / (1.0F - a.at({4, 2})) : 1.0F;
    QVERIFY(std::abs(b.at({4, 1}) - a.at({4, 1}) * factor) < 1e-6F);
    QCOMPARE(b.at({3, 1}), a.at({3, 1}));
}

void TstWhatIf::anEditorIsLeftByEscape()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    QTest::keyClick(&fixture.mapB(), Qt::Key_Return);
    QVERIFY(fixture.editor().isVisible());
    fixture.editor().field().setText("0.1");
    QTest::keyClick(&fixture.editor().field(), Qt::Key_Escape);
    QVERIFY(!fixture.editor().isVisible());
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::aRowCanBeSpreadGatheredAndReset()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.view().selectPair(3, 1);
    QMenu& menu = fixture.offers().rowMenu();
    actionWith(menu, "Same weight")->trigger();
    QTRY_VERIFY(fixture.isDrawn() && fixture.session.traceB());
    for (int key = 0; key < 5; ++key)
        QCOMPARE(fixture.mapB().content().matrix.at({3, key}), key <= 3 ? 0.25F : 0.0F);
    actionWith(menu, "All weight on")->trigger();
    QTRY_VERIFY(fixture.isDrawn() && fixture.mapB().content().matrix.at({3, 1}) == 1.0F);
    QCOMPARE(fixture.session.changes().edits.size(), std::size_t(1));
    QVERIFY(actionWith(menu, "As computed")->isEnabled());
    actionWith(menu, "As computed")->trigger();
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::headsAreSwitchedOffByMenu()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    QMenu& menu = fixture.offers().headMenu();
    QVERIFY(!actionWith(menu, "Restore head")->isEnabled());
    actionWith(menu, "its mean")->trigger();
    QCOMPARE(fixture.session.changes().headsOff.front().method, HeadOff::Method::Mean);
    actionWith(menu, "Zero the output")->trigger();
    QCOMPARE(fixture.session.changes().headsOff.size(), std::size_t(1));
    QCOMPARE(fixture.session.changes().headsOff.front().method, HeadOff::Method::Zero);
    actionWith(menu, "Restore head")->trigger();
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::onlyPossiblePositionsAreOffered()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    QMenu& menu = fixture.offers().positionsMenu();
    QVERIFY(!actionWith(menu, "Relative")->isEnabled());
    QVERIFY(!actionWith(menu, "Relative")->toolTip().isEmpty());
    QVERIFY(actionWith(menu, "ALiBi")->isEnabled());
    actionWith(menu, "RoPE")->trigger();
    QTRY_VERIFY(fixture.isDrawn() && fixture.session.traceB());
    Interventions rope;
    rope.positions = PositionsChoice{Positions::Rope};
    QCOMPARE(headscope::test::traceDifference(*fixture.session.traceB(),
                                              *fixture.run("the cat sat on a mat", rope), 0.0),
             std::string());
    actionWith(menu, "As trained")->trigger();
    QVERIFY(fixture.session.changes().empty());
}

void TstWhatIf::anotherTokensEmbeddingIsUsed()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.view().selectPair(1, 0);
    const auto buttons = fixture.offers().findChildren<QToolButton*>();
    const auto swap = std::find_if(buttons.begin(), buttons.end(), [](const QToolButton* button) {
        return button->accessibleName() == "Swap a token";
    });
    QTest::mouseClick(*swap, Qt::LeftButton);
    InlineEditor& editor = fixture.editor();
    QTest::keyClicks(&editor.field(), "m");
    const TokenId id = fixture.session.model().tokenizer->encode("m").tokens.front().id;
    QVERIFY(childOf<TextLabel>(editor, "message").text().contains(QString::number(id)));
    QTest::keyClick(&editor.field(), Qt::Key_Return);
    QTRY_VERIFY(fixture.isDrawn() && fixture.session.traceB());
    const TensorView table = fixture.session.model().model->parameters().view("tok_emb.weight");
    const TensorView embed = fixture.session.traceB()->find({Site::Embed, 0})->view();
    for (std::int64_t channel = 0; channel < 8; ++channel)
        QCOMPARE(embed(1, channel), table(id, channel));
    QVERIFY(embed(0, 0) != table(id, 0));
}

void TstWhatIf::frozenPatternsStayWhileTheTextChanges()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    const TracePtr before = fixture.session.traceA();
    actionWith(fixture.offers().freezeMenu(), "All heads")->trigger();
    fixture.session.document().replaceText("the cat sat on a cat");
    QTRY_VERIFY(fixture.isDrawn() && fixture.session.traceB());
    for (int layer = 0; layer < 2; ++layer) {
        const TensorView frozen = before->find({Site::Pattern, layer})->view();
        const TensorView b = fixture.session.traceB()->find({Site::Pattern, layer})->view();
        for (std::int64_t head = 0; head < 2; ++head)
            for (std::int64_t query = 0; query < 5; ++query)
                for (std::int64_t key = 0; key <= query; ++key)
                    QCOMPARE(b(head, query, key), frozen(head, query, key));
    }
}

void TstWhatIf::theMapsShareOneCellSize()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    const auto cell = [](const HeatmapWidget& map) { return map.layoutNow().cellSize().width(); };
    for (const QSize size : {QSize(1240, 760), QSize(900, 560), QSize(1600, 1000)}) {
        fixture.page.resize(size);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // no refresh yet
        QCOMPARE(cell(fixture.mapB()), cell(fixture.mapA()));
        QVERIFY(size.height() < 700 || cell(fixture.mapA()) >= 14.0);
    }
    const double before = cell(fixture.mapA());
    fixture.session.document().setHeadOff(0, 0, true);
    QTRY_VERIFY(!fixture.difference().content().matrix.isEmpty());
    QCOMPARE(cell(fixture.mapA()), before);
    QCOMPARE(cell(fixture.mapB()), before);
    QCOMPARE(cell(fixture.difference()), before);
}

void TstWhatIf::theMapsHaveFixedScales()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.document().setHeadOff(0, 0, true);
    fixture.session.view().activateHead(1, 0);
    QTRY_VERIFY(!fixture.difference().content().matrix.isEmpty());
    for (const HeatmapWidget* map : {&fixture.mapA(), &fixture.mapB()}) {
        QCOMPARE(map->content().scale.low, 0.0F);
        QCOMPARE(map->content().scale.high, 1.0F);
    }
    QCOMPARE(fixture.difference().content().scale.low, -1.0F);
    QCOMPARE(fixture.difference().content().scale.high, 1.0F);
    QTRY_VERIFY(!fixture.where().content().matrix.isEmpty());
    QCOMPARE(fixture.where().content().matrix.at({0, 0}), 0.0F); // its own pattern stays
    QVERIFY(fixture.where().content().matrix.at({0, 1}) > 0.0F);
    QTest::mouseClick(&fixture.where(), Qt::LeftButton, {},
                      fixture.where().cellRect({1, 1}).center().toPoint());
    QCOMPARE(fixture.session.selection().layer, 1);
    QCOMPARE(fixture.session.selection().head, 1);
}

void TstWhatIf::theFigureHoldsTheNumbers()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    QCOMPARE(fixture.page.figure().numbers.front().name, QString("pattern_a"));
    fixture.session.document().setHeadOff(0, 0, true);
    fixture.session.view().activateHead(1, 1);
    QTRY_VERIFY(fixture.isCurrent());
    const Figure figure = fixture.page.figure();
    QCOMPARE(figure.numbers.size(), std::size_t(4));
    const HeatmapMatrix& difference = figure.numbers[2].values;
    const TensorView a = fixture.session.traceA()->find({Site::Pattern, 1})->view()[1];
    const TensorView b = fixture.session.traceB()->find({Site::Pattern, 1})->view()[1];
    QCOMPARE(difference.at({4, 2}), b(4, 2) - a(4, 2));
    const NumberTable& next = figure.numbers[3];
    QCOMPARE(next.columns, (QStringList{"A", "B", "B-A"}));
    QCOMPARE(next.values.at({0, 2}), next.values.at({0, 1}) - next.values.at({0, 0}));
    const QSizeF size = figure.size(Theme::light());
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    const QImage blank = image;
    QPainter painter(&image);
    figure.paint(painter, QRectF({}, size), Theme::light(), {});
    painter.end();
    QVERIFY(image != blank);
}

void TstWhatIf::anEmptyTextIsNoTrouble()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isDrawn());
    fixture.session.document().replaceText("");
    QTRY_VERIFY(fixture.isCurrent() && fixture.mapB().content().matrix.isEmpty());
    fixture.paint(1);
    QTest::keyClick(&fixture.mapB(), Qt::Key_Space);
    QTest::mouseClick(&fixture.mapB(), Qt::LeftButton, {}, QPoint(60, 60));
    QVERIFY(fixture.session.changes().empty());
    QVERIFY(!fixture.offers().findChild<QToolButton*>()->isEnabled());
}

HEADSCOPE_WINDOW_TEST(TstWhatIf)
#include "tst_what_if.moc"
