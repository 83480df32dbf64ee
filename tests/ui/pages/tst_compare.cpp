#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/moved_attention.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include "tests/support/test_program.h"
#include "ui/widgets/labels.h"

#include <QAccessible>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

/// Compares what the page shows; log-probabilities of missing targets are NaN.
bool isSame(const StreamLens& one, const StreamLens& other)
{
    return one.stages == other.stages && one.positions == other.positions && one.ids == other.ids &&
           one.probabilities == other.probabilities;
}

struct PageFixture : SessionFixture
{
    PageFixture() : page(session)
    {
        page.setModelNames({"tiny", "other"});
        page.resize(1240, 760);
        page.show();
    }

    LensGrid& gridA() const { return *page.findChild<LensGrid*>("gridA"); }

    LensGrid& gridB() const { return *page.findChild<LensGrid*>("gridB"); }

    QComboBox& modelChoice() const { return *page.findChild<QComboBox*>(); }

    QLineEdit& sentenceOfB() const { return childOf<QLineEdit>(page, "sentenceOfB"); }

    HeatmapWidget& movedAttention() const
    {
        return childOf<HeatmapWidget>(childOf<MovedAttention>(page));
    }

    bool isDrawn() const
    {
        return isCurrent() && gridB().content().rows() > 0 &&
               page.comparison().a.rows() == static_cast<int>(session.traceA()->tokens().size()) &&
               page.comparison().b.rows() ==
                   static_cast<int>(
                       (session.traceB() ? session.traceB() : session.traceA())->tokens().size());
    }

    /// The comparison is that of the present traces.
    bool isCompared() const
    {
        const Comparison expected = own();
        return isDrawn() && isSame(page.comparison().a, expected.a) &&
               isSame(page.comparison().b, expected.b);
    }

    Comparison own() const { return comparisonOf(session.viewSnapshot()); }

    ComparePage page;
};

QStringList textsOf(const LensContent& content)
{
    QStringList texts;
    for (int row = 0; row < content.rows(); ++row)
        for (int column = 0; column < content.columns(); ++column)
            texts << content.textOf({row, column});
    return texts;
}

} // namespace

class TstCompare : public QObject
{
    Q_OBJECT

private slots:
    void withoutChangesBothAreTheSame();
    void anotherSentenceIsAligned();
    void anotherModelIsCompared();
    void aDraggedCellIsAPatch();
    void theKeyboardPatchesToo();
    void escapeDropsACarriedCell();
    void anotherLayerIsRefused();
    void theConeIsDeeperAndLater();
    void theFigureHoldsBothGrids();
    void snapshotsOfARunAreOffered();
    void aDifferentLengthIsSaid();
    void gridsAreTablesForScreenReaders();
    void aLargeWindowHasLargeCells();
    void onePredictionDiffersAndTwoDiffer();
};

void TstCompare::onePredictionDiffersAndTwoDiffer()
{
    QCOMPARE(alignmentText(5, 6, 1),
             QStringLiteral("5 of 6 lines aligned \u00B7 1 prediction differs"));
    QCOMPARE(alignmentText(1, 1, 2),
             QStringLiteral("1 of 1 line aligned \u00B7 2 predictions differ"));
    QCOMPARE(alignmentText(6, 6, 0),
             QStringLiteral("6 of 6 lines aligned \u00B7 0 predictions differ"));
}

void TstCompare::withoutChangesBothAreTheSame()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    QCOMPARE(fixture.page.comparison().differingPredictions(), 0);
    QCOMPARE(textsOf(fixture.gridA().content()), textsOf(fixture.gridB().content()));
    const TensorView logits = fixture.session.traceA()->find({Site::Logits, 0})->view();
    const int last = static_cast<int>(logits.shape[0]) - 1;
    const TensorView row = logits[last];
    const auto best =
        static_cast<TokenId>(std::max_element(row.data, row.data + row.shape[0]) - row.data);
    const LensContent& grid = fixture.gridA().content();
    QCOMPARE(grid.textOf({last, 1}), labelOf(best, fixture.session.model()));
}

void TstCompare::anotherSentenceIsAligned()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    QTest::keyClicks(&fixture.sentenceOfB(), "the cat sat on the mat");
    QTest::keyClick(&fixture.sentenceOfB(), Qt::Key_Return);
    QCOMPARE(*fixture.session.changes().text, QString("the cat sat on the mat"));
    QTRY_VERIFY(fixture.session.traceB() && fixture.isCompared());
    const Comparison& shown = fixture.page.comparison();
    const auto a = fixture.session.traceA()->tokens().ids();
    const auto b = fixture.session.traceB()->tokens().ids();
    QVERIFY(shown.lines.size() > a.size());
    const LensContent& gridA = fixture.gridA().content();
    const LensContent& gridB = fixture.gridB().content();
    for (int row = 0; row < gridA.rows(); ++row) {
        const AlignedTokens& line = shown.lines[static_cast<std::size_t>(row)];
        QCOMPARE(gridA.rowLabels[row].isEmpty(), !line.a);
        QCOMPARE(gridB.rowLabels[row].isEmpty(), !line.b);
        if (line.a && line.b)
            QCOMPARE(a[static_cast<std::size_t>(*line.a)], b[static_cast<std::size_t>(*line.b)]);
    }
    fixture.session.document().undoStack().undo();
    QTRY_VERIFY(fixture.isCompared());
    QCOMPARE(fixture.sentenceOfB().text(), QString());
}

void TstCompare::anotherModelIsCompared()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    fixture.modelChoice().setCurrentIndex(2);
    emit fixture.modelChoice().activated(2);
    QCOMPARE(fixture.session.changes().model, QString("other"));
    QTRY_VERIFY(fixture.session.traceB() && fixture.isCompared());
    QVERIFY(fixture.page.comparison().differingPredictions() > 0);
    const HeatmapMatrix& shown = fixture.movedAttention().content().matrix;
    const TensorView a = fixture.session.traceA()->find({Site::Pattern, 1})->view()[0];
    const TensorView b = fixture.session.traceB()->find({Site::Pattern, 1})->view()[0];
    double moved = 0.0;
    for (std::int64_t cell = 0; cell < a.shape.elementCount(); ++cell)
        moved += std::abs(double{b.data[cell]} - double{a.data[cell]}) / 2.0;
    QVERIFY(std::abs(double{shown.at({0, 1})} - moved / static_cast<double>(a.shape[0])) < 1e-5);
}

void TstCompare::aDraggedCellIsAPatch()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    LensGrid& a = fixture.gridA();
    LensGrid& b = fixture.gridB();
    const QPoint from = a.cellRect({1, 0}).center().toPoint();
    const QPoint to = a.mapFromGlobal(b.mapToGlobal(b.cellRect({3, 0}).center().toPoint()));
    QTest::mousePress(&a, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, a.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&a, &move);
    QVERIFY(a.content().picked.has_value());
    QTest::mouseRelease(&a, Qt::LeftButton, {}, to);
    const std::vector<CellPatch> wanted{{{Site::ResidPost, 0}, 1, 3}};
    QCOMPARE(fixture.session.changes().patches, wanted);
    QTRY_VERIFY(fixture.session.traceB() && fixture.isCompared());
    const TensorView streamA = fixture.session.traceA()->find({Site::ResidPost, 0})->view();
    const TensorView streamB = fixture.session.traceB()->find({Site::ResidPost, 0})->view();
    for (std::int64_t channel = 0; channel < streamA.shape[1]; ++channel)
        QCOMPARE(streamB(3, channel), streamA(1, channel));
    QCOMPARE(b.content().textOf({3, 0}), a.content().textOf({1, 0}));
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes().empty());
}

void TstCompare::theKeyboardPatchesToo()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    LensGrid& a = fixture.gridA();
    a.setCurrent({2, 1});
    QTest::keyClick(&a, Qt::Key_Return);
    QCOMPARE(fixture.gridB().content().current, (HeatmapCell{2, 1}));
    QTest::keyClick(&fixture.gridB(), Qt::Key_Down);
    QTest::keyClick(&fixture.gridB(), Qt::Key_Return);
    const std::vector<CellPatch> wanted{{{Site::ResidPost, 1}, 2, 3}};
    QCOMPARE(fixture.session.changes().patches, wanted);
    QVERIFY(!a.content().picked);
}

void TstCompare::escapeDropsACarriedCell()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    fixture.gridA().setCurrent({2, 1});
    QTest::keyClick(&fixture.gridA(), Qt::Key_Return);
    QVERIFY(fixture.gridA().content().picked);
    QTest::keyClick(&fixture.gridB(), Qt::Key_Escape);
    QVERIFY(!fixture.gridA().content().picked);
    QTest::keyClick(&fixture.gridB(), Qt::Key_Return);
    QVERIFY(fixture.session.changes().empty());
}

void TstCompare::anotherLayerIsRefused()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    QSignalSpy messages(&fixture.page, &Page::messageWanted);
    fixture.gridA().setCurrent({2, 0});
    QTest::keyClick(&fixture.gridA(), Qt::Key_Return);
    QTest::keyClick(&fixture.gridB(), Qt::Key_Right);
    QTest::keyClick(&fixture.gridB(), Qt::Key_Return);
    QCOMPARE(messages.size(), 1);
    QVERIFY(fixture.session.changes().empty());
}

void TstCompare::theConeIsDeeperAndLater()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    Changes changes;
    changes.patches = {{{Site::ResidPost, 0}, 0, 2}};
    fixture.session.document().setChanges(changes, "patch");
    QTRY_VERIFY(fixture.session.traceB() && fixture.isCompared());
    const LensContent& b = fixture.gridB().content();
    QVERIFY(!b.cone.empty());
    for (int row = 0; row < b.rows(); ++row) {
        QCOMPARE(bool(b.cone[b.index({row, 0})]), row == 2);
        QCOMPARE(bool(b.cone[b.index({row, 1})]), row >= 2);
    }
    const TensorView before = fixture.session.traceA()->find({Site::ResidPost, 1})->view();
    const TensorView after = fixture.session.traceB()->find({Site::ResidPost, 1})->view();
    for (int row = 0; row < b.rows(); ++row)
        QCOMPARE(before(row, 0) == after(row, 0), !b.cone[b.index({row, 1})]);
}

void TstCompare::theFigureHoldsBothGrids()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    const Figure figure = fixture.page.figure();
    QCOMPARE(figure.numbers.front().name, QString("lens_a"));
    QCOMPARE(figure.numbers.front().values.at({2, 1}),
             fixture.page.comparison().a.probabilities[fixture.page.comparison().a.at(2, 1)]);
    QVERIFY(figure.size(Theme::light()).width() > 100);
}

void TstCompare::snapshotsOfARunAreOffered()
{
    QTemporaryDir folder;
    const QString run = folder.filePath("run");
    QDir().mkpath(run + "/checkpoints");
    for (const char* name :
         {"step-20.safetensors", "step-3.safetensors", "optimizer-20.safetensors"})
        QFile(run + "/checkpoints/" + name).open(QIODevice::WriteOnly);
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    const QString chosen = run + "/checkpoints/step-20.safetensors";
    Changes changes;
    changes.model = chosen;
    fixture.session.document().setChanges(changes, "model");
    QTRY_VERIFY(fixture.modelChoice().findText("step 3 of run") > 0);
    const QComboBox& choice = fixture.modelChoice();
    QCOMPARE(choice.findText("step 20 of run"), choice.findText("step 3 of run") + 1);
    QCOMPARE(choice.findText("step -1 of run"), -1);
    QCOMPARE(choice.currentText(), QString("step 20 of run"));
    emit fixture.modelChoice().activated(choice.findText("step 3 of run"));
    QCOMPARE(fixture.session.changes().model, run + "/checkpoints/step-3.safetensors");
    const std::vector<ChangeText> words = fixture.session.changes().texts();
    QCOMPARE(words.size(), std::size_t{1});
    QCOMPARE(words.front().scope, QString("step 3 of run"));
    fixture.session.document().undoStack().undo();
    QCOMPARE(fixture.session.changes().model, chosen);
}

void TstCompare::aDifferentLengthIsSaid()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    const auto says = [&fixture] {
        for (const TextLabel* label : fixture.page.findChildren<TextLabel*>())
            if (label->text().contains("different lengths"))
                return true;
        return false;
    };
    QVERIFY(!says());
    Changes changes;
    changes.text = "the cat";
    fixture.session.document().setChanges(changes, "text");
    QTRY_VERIFY(fixture.session.traceB() && fixture.isCompared());
    QTRY_VERIFY(says());
}

void TstCompare::gridsAreTablesForScreenReaders()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.isCompared());
    auto* grid = QAccessible::queryAccessibleInterface(&fixture.gridA());
    QVERIFY(grid && grid->tableInterface());
    QCOMPARE(grid->role(), QAccessible::Table);
    const LensContent& content = fixture.gridA().content();
    QCOMPARE(grid->tableInterface()->rowCount(), content.rows());
    QCOMPARE(grid->tableInterface()->columnCount(), 2);
    const QString cell = grid->tableInterface()->cellAt(2, 1)->text(QAccessible::Name);
    const auto index = static_cast<int>(content.index({2, 1}));
    QVERIFY(cell.contains(content.textOf({2, 1})));
    QVERIFY(cell.contains(content.rowLabels[2]));
    QVERIFY(cell.contains(
        QString::number(double{content.values[static_cast<std::size_t>(index)]}, 'f', 3)));
    fixture.gridA().setCurrent({2, 1});
    QCOMPARE(grid->text(QAccessible::Value), cell);
}

void TstCompare::aLargeWindowHasLargeCells()
{
    PageFixture fixture;
    QTRY_VERIFY(fixture.page.isSettled() && !fixture.page.comparison().lines.empty());
    QCoreApplication::processEvents();
    const QRectF small = fixture.movedAttention().cellRect({0, 0});
    QVERIFY(small.width() > small.height()); // few layers fill the width
    fixture.page.resize(2300, 1300);
    QCoreApplication::processEvents();
    QVERIFY(fixture.movedAttention().cellRect({0, 0}).height() > 1.5 * small.height());
}

HEADSCOPE_WINDOW_TEST(TstCompare)
#include "tst_compare.moc"
