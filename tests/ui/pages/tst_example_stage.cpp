#include "core/lessons/worked/example_catalogue.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "ui/pages/example/example_side.h"
#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/worked/worked_overview.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QAccessible>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>
#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

ExampleState stateOf(const std::string& name, std::size_t done = 0)
{
    ExampleState state;
    state.inputs = exampleInputs(name);
    state.example = workExample(state.inputs);
    state.done = done;
    return state;
}

/// The stage, shown.
struct StageFixture
{
    explicit StageFixture(const std::string& name = "attention", std::size_t done = 0)
    {
        stage.resize(900, 620);
        stage.setReducedMotion(true);
        stage.setState(stateOf(name, done));
        stage.show();
        stage.activateWindow();
        static_cast<void>(QTest::qWaitForWindowActive(&stage));
        stage.matrices().setFocus();
    }

    const WorkedExample& example() const { return stage.state().example; }

    const WorkedDiagram& diagram() const { return stage.matrices().diagram(); }

    /// All cells as they are shown: what a person sees.
    QStringList cells() const
    {
        QStringList all;
        for (int matrix = 0; matrix < static_cast<int>(example().matrices.size()); ++matrix)
            for (int row = 0; row < diagram().matrix(matrix).rows(); ++row)
                for (int column = 0; column < diagram().matrix(matrix).columns(); ++column)
                    all << diagram().text({matrix, row, column}, 4);
        return all;
    }

    QString shown(const char* cell) const { return diagram().text(example().address(cell), 4); }

    InlineEditor& editor() const { return childOf<InlineEditor>(stage); }

    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&stage.matrices(), key, modifiers);
    }

    /// Goes there with the arrows and opens it.
    void open(const char* cell)
    {
        stage.matrices().placeCursor(example().address(cell));
        key(Qt::Key_Return);
    }

    ExampleStage stage;
};

std::size_t endOf(const WorkedExample& example, const char* stage)
{
    for (const WorkedStage& each : example.stages)
        if (each.title == stage)
            return each.firstStep + each.steps;
    return 0;
}

} // namespace

class TstExampleStage : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void spaceFillsOneCellAfterTheOther();
    void backUndoesForwardExactly();
    void homeAndEndGoToBothEnds();
    void aClickOnAStageJumpsToItsFirstNumber();
    void theStageBarIsWalkedByKeys();
    void playFillsCellsUntilTheEnd();
    void theLastStepIsTheExampleOfTheCurriculum();
    void anEditedCellChangesAllLaterOnesAndKeepsThePlace();
    void aSwitchKeepsTheCellThatIsShown();
    void editsAreUndoneByTheUndoStack();
    void withoutAnUndoStackEditsAreTakenAndReset();
    void badNumbersGetASentenceAndChangeNothing_data();
    void badNumbersGetASentenceAndChangeNothing();
    void escapeLeavesFieldThenCells();
    void aRowThatSeesNothingSaysWhy();
    void aMatrixSoFarGoesToItsStep();
    void arrowsReachEveryMatrix();
    void aTriedNumberIsJudgedAndMovesOn();
    void theSideAsksAndAnswers();
    void eachCellIsSpokenWithMatrixRowColumnAndValue();
    void theStepIsSpokenWithItsNumbers();
    void exactFormsStandInTheCells();
    void whatIsPointedAtIsMarked();
    void theMarkKeepsOffTheLabels();
    void controlsCanBeHidden();
    void everyExampleFitsASmallWindow_data();
    void everyExampleFitsASmallWindow();
    void whatDoesNotFitIsStillDrawn();
};

void TstExampleStage::spaceFillsOneCellAfterTheOther()
{
    StageFixture f;
    QSignalSpy stepped(&f.stage, &ExampleStage::stepped);
    QCOMPARE(f.shown("scores[0,0]"), QString("?"));
    f.key(Qt::Key_Space);
    QCOMPARE(f.shown("scores[0,0]"), QString("1"));
    QCOMPARE(f.shown("scores[0,1]"), QString("?"));
    QCOMPARE(f.shown("scores[0,2]"), QString());
    f.key(Qt::Key_Right);
    QCOMPARE(f.shown("scores[0,1]"), QString("0"));
    QCOMPARE(stepped.count(), 2);
}

void TstExampleStage::backUndoesForwardExactly()
{
    StageFixture f;
    std::vector<QStringList> forward;
    for (std::size_t step = 0; step <= f.example().steps.size(); ++step) {
        forward.push_back(f.cells());
        f.key(Qt::Key_Space);
    }
    QVERIFY(forward.front() != forward.back());
    for (std::size_t step = f.example().steps.size() + 1; step-- > 0;) {
        QCOMPARE(f.cells(), forward[step]);
        f.key(step % 2 == 0 ? Qt::Key_Left : Qt::Key_Space,
              step % 2 == 0 ? Qt::NoModifier : Qt::ShiftModifier);
    }
    QCOMPARE(f.stage.state().done, std::size_t{0});
}

void TstExampleStage::homeAndEndGoToBothEnds()
{
    StageFixture f;
    f.key(Qt::Key_End);
    QCOMPARE(f.stage.state().done, f.example().steps.size());
    f.key(Qt::Key_Home);
    QCOMPARE(f.stage.state().done, std::size_t{0});
}

void TstExampleStage::aClickOnAStageJumpsToItsFirstNumber()
{
    StageFixture f;
    StepBar& bar = f.stage.stages();
    const StepBarLayout layout(QRectF(bar.rect()).adjusted(4, 0, -4, 0), bar.content(),
                               Theme::of(bar));
    QTest::mouseClick(&bar, Qt::LeftButton, {}, layout.circle(1).center().toPoint());
    QCOMPARE(f.stage.state().done, f.example().stages[1].firstStep + 1);
    QCOMPARE(bar.content().now, 1);
    QCOMPARE(f.shown("scaled[0,0]"), QString("0.7071"));
}

void TstExampleStage::theStageBarIsWalkedByKeys()
{
    StageFixture f;
    f.stage.stages().setFocus();
    QTest::keyClick(&f.stage.stages(), Qt::Key_Right);
    QTest::keyClick(&f.stage.stages(), Qt::Key_Right);
    QCOMPARE(f.stage.state().done, std::size_t{0}); // only looked
    QVERIFY(f.stage.stages().accessibleDescription().contains(
        QString::fromStdString(f.example().stages[2].title)));
    QTest::keyClick(&f.stage.stages(), Qt::Key_Return);
    QCOMPARE(f.stage.stages().content().now, 2);
    QTest::keyClick(&f.stage.stages(), Qt::Key_Space, Qt::ShiftModifier);
    QCOMPARE(f.stage.state().done, f.example().stages[2].firstStep);
}

void TstExampleStage::playFillsCellsUntilTheEnd()
{
    StageFixture f("two-tokens");
    f.stage.finish();
    f.stage.back();
    f.stage.back();
    f.stage.setSpeed(10.0);
    QSignalSpy playing(&f.stage, &ExampleStage::playingChanged);
    f.stage.setPlaying(true);
    QVERIFY(f.stage.isPlaying());
    QTRY_VERIFY(!f.stage.isPlaying());
    QCOMPARE(f.stage.state().done, f.example().steps.size());
    QCOMPARE(playing.count(), 2);
    f.stage.setPlaying(true); // from the end it begins anew
    QCOMPARE(f.stage.state().done, std::size_t{0});
    f.key(Qt::Key_Space); // a step by hand ends it
    QVERIFY(!f.stage.isPlaying());
}

void TstExampleStage::theLastStepIsTheExampleOfTheCurriculum()
{
    StageFixture f;
    f.stage.finish();
    QCOMPARE(f.shown("output[2,0]"), QString("0.6276"));
    QCOMPARE(f.shown("output[2,1]"), QString("0.3724"));
    QCOMPARE(f.shown("weights[0,1]"), QString("0.1978"));
}

void TstExampleStage::anEditedCellChangesAllLaterOnesAndKeepsThePlace()
{
    StageFixture f;
    f.stage.goTo(endOf(f.example(), "Scores") - 1);
    const std::size_t place = f.stage.state().done;
    f.open("Q[2,0]");
    QVERIFY(f.editor().isVisible());
    f.editor().field().setText("2.5");
    QSignalSpy changed(&f.stage, &ExampleStage::changed);
    QTest::keyClick(&f.editor().field(), Qt::Key_Return);
    QCOMPARE(changed.count(), 1);
    QVERIFY(!f.editor().isVisible());
    QCOMPARE(f.stage.state().done, place);
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("Q[2,0]", "2.5");
    const WorkedExample expected = workExample(inputs);
    QCOMPARE(f.example().steps.size(), expected.steps.size());
    for (std::size_t step = 0; step < expected.steps.size(); ++step)
        QCOMPARE(f.example().steps[step].value, expected.steps[step].value);
    QCOMPARE(f.shown("scores[2,0]"), QString("3.5000"));
    QVERIFY(f.stage.isEdited());
}

void TstExampleStage::aSwitchKeepsTheCellThatIsShown()
{
    StageFixture f;
    f.stage.goTo(endOf(f.example(), "Softmax"));
    const std::string before = f.diagram().matrix(f.diagram().step()->result.matrix).name;
    QCOMPARE(f.stage.setSwitch("causal", true), QString());
    const WorkedStep& now = *f.diagram().step();
    QCOMPARE(f.diagram().matrix(now.result.matrix).name, before);
    QCOMPARE(now.result.row, 2);
    QCOMPARE(now.result.column, 2);
    QCOMPARE(f.shown("weights[0,0]"), QString("1.0000"));
    QCOMPARE(f.shown("weights[1,1]"), QString("0.5000"));
}

void TstExampleStage::editsAreUndoneByTheUndoStack()
{
    StageFixture f;
    QUndoStack stack;
    f.stage.setUndoStack(&stack);
    f.stage.finish();
    const QStringList before = f.cells();
    QCOMPARE(f.stage.setCell(f.example().address("V[0,0]"), "4"), QString());
    QCOMPARE(f.stage.setSwitch("scale", false), QString());
    const QStringList after = f.cells();
    QCOMPARE(stack.count(), 2);
    QVERIFY(stack.undoText().contains(QStringLiteral("√")));
    stack.undo();
    stack.undo();
    QCOMPARE(f.cells(), before);
    stack.redo();
    stack.redo();
    QCOMPARE(f.cells(), after);
    f.stage.setState(stateOf("rope")); // another example is left alone
    const QStringList rope = f.cells();
    stack.undo();
    QCOMPARE(f.cells(), rope);
}

void TstExampleStage::withoutAnUndoStackEditsAreTakenAndReset()
{
    StageFixture f;
    const QStringList before = f.cells();
    QCOMPARE(f.stage.setCell(f.example().address("K[1,1]"), QStringLiteral("−3")), QString());
    QCOMPARE(f.shown("K[1,1]"), QStringLiteral("−3"));
    QCOMPARE(f.stage.reset(), QString());
    QCOMPARE(f.cells(), before);
    QVERIFY(!f.stage.isEdited());
}

void TstExampleStage::badNumbersGetASentenceAndChangeNothing_data()
{
    QTest::addColumn<QString>("typed");
    for (const char* typed : {"", "abc", "nan", "inf", "1e300", "1e999", "2 apples", "0x10", "--1"})
        QTest::newRow(*typed ? typed : "none") << typed;
}

void TstExampleStage::badNumbersGetASentenceAndChangeNothing()
{
    QFETCH(QString, typed);
    StageFixture f;
    const QStringList before = f.cells();
    f.open("Q[0,0]");
    f.editor().field().setText(typed);
    QTest::keyClick(&f.editor().field(), Qt::Key_Return);
    QVERIFY(f.editor().isVisible()); // the field stays, with the reason
    const QString message = childOf<TextLabel>(f.editor(), "message").text();
    QVERIFY2(message.contains("number", Qt::CaseInsensitive), qPrintable(message));
    QCOMPARE(f.cells(), before);
    QTest::keyClick(&f.editor().field(), Qt::Key_Escape);
    QVERIFY(!f.editor().isVisible());
    QVERIFY(!f.stage.setCell(f.example().address("Q[0,0]"), typed).isEmpty());
    QCOMPARE(f.cells(), before);
}

void TstExampleStage::escapeLeavesFieldThenCells()
{
    StageFixture f;
    f.key(Qt::Key_Down);
    QVERIFY(f.diagram().cursor.has_value());
    f.open("Q[0,0]");
    QTest::keyClick(&f.editor().field(), Qt::Key_Escape);
    QVERIFY(f.stage.matrices().hasFocus());
    QVERIFY(f.diagram().cursor.has_value());
    f.key(Qt::Key_Escape);
    QVERIFY(!f.diagram().cursor.has_value());
    f.key(Qt::Key_Down);
    f.key(Qt::Key_7); // a digit opens an input, nothing else
    QVERIFY(!f.editor().isVisible());
    f.stage.matrices().placeCursor(f.example().address("K[0,1]"));
    f.key(Qt::Key_7);
    QVERIFY(f.editor().isVisible());
    QCOMPARE(f.editor().field().text(), QString("7"));
}

void TstExampleStage::aRowThatSeesNothingSaysWhy()
{
    StageFixture f;
    QCOMPARE(f.stage.setSwitch("own-mask", true), QString());
    for (const char* cell : {"mask[1,0]", "mask[1,1]", "mask[1,2]"})
        QCOMPARE(f.stage.setCell(f.example().address(cell), "0"), QString());
    f.stage.finish();
    QCOMPARE(f.shown("weights[1,0]"), QString("0.0000"));
    QCOMPARE(f.shown("output[1,1]"), QString("0.0000"));
    bool says = false;
    for (std::size_t step = 0; step < f.example().steps.size(); ++step) {
        if (f.example().steps[step].result != f.example().address("weights[1,0]"))
            continue;
        f.stage.goTo(step + 1);
        says = f.stage.matrices().accessibleDescription().contains("No key is visible");
    }
    QVERIFY(says);
    for (const QString& cell : f.cells())
        QVERIFY(!cell.contains("nan", Qt::CaseInsensitive) && !cell.contains("not a number"));
}

void TstExampleStage::aMatrixSoFarGoesToItsStep()
{
    StageFixture f("attention", 1000);
    f.stage.resize(900, 760);
    auto& overview = childOf<WorkedOverview>(f.stage);
    QTRY_VERIFY(overview.isVisible());
    QSignalSpy stepped(&f.stage, &ExampleStage::stepped);
    const std::size_t scaled = endOf(f.example(), "Scores") + 1;
    QPoint place;
    for (const WorkedBlock& block : overview.matrices().blocks())
        if (f.diagram().matrix(block.matrix).name == "scaled")
            place = block.cells.center().toPoint();
    QTest::mouseClick(&overview, Qt::LeftButton, {}, place);
    QCOMPARE(f.stage.state().done, scaled);
    QCOMPARE(stepped.size(), 1);
    f.stage.setTrying(true);
    f.stage.showMatrix(scaled + 1);
    QCOMPARE(f.stage.state().done, scaled); // the number itself is asked for
}

void TstExampleStage::arrowsReachEveryMatrix()
{
    StageFixture f;
    f.key(Qt::Key_Return); // into the cells, at the number that comes next
    QCOMPARE(*f.diagram().cursor, f.example().address("scores[0,0]"));
    f.key(Qt::Key_Left);
    QCOMPARE(*f.diagram().cursor, f.example().address("K[0,1]"));
    f.key(Qt::Key_Down);
    QCOMPARE(*f.diagram().cursor, f.example().address("K[1,1]"));
    f.key(Qt::Key_Left);
    f.key(Qt::Key_Left);
    QCOMPARE(*f.diagram().cursor, f.example().address("Q[1,1]"));
    QCOMPARE(f.stage.state().done, std::size_t{0});
    f.key(Qt::Key_Space);
    QCOMPARE(f.stage.state().done, std::size_t{1}); // Space walks from within, too
}

void TstExampleStage::aTriedNumberIsJudgedAndMovesOn()
{
    StageFixture f;
    f.stage.goTo(endOf(f.example(), "Weighted sum") - 1);
    f.stage.setTrying(true);
    QSignalSpy answered(&f.stage, &ExampleStage::answered);
    QVERIFY(!f.stage.answer("0.5").isRight());
    QCOMPARE(f.stage.state().done, f.example().steps.size() - 1);
    const auto& feedback = childOf<TextLabel>(f.stage, "feedback");
    QVERIFY(!feedback.text().isEmpty());
    const CellAddress asked = f.example().steps.back().result;
    f.stage.matrices().placeCursor(asked);
    f.key(Qt::Key_Return);
    QVERIFY(f.editor().isVisible()); // in the cell itself
    f.editor().field().setText("0.37");
    QTest::keyClick(&f.editor().field(), Qt::Key_Return);
    QCOMPARE(f.stage.state().done, f.example().steps.size());
    QVERIFY(feedback.text().contains("0.372"));
    QCOMPARE(answered.count(), 2);
    QVERIFY(!f.stage.answer("1").isRight()); // nothing is left to ask
}

void TstExampleStage::theSideAsksAndAnswers()
{
    StageFixture f;
    f.stage.goTo(endOf(f.example(), "Scores")); // the first scaled score comes next: 1 / √2
    ExampleSide side(f.stage);
    side.resize(312, 600);
    side.show();
    f.stage.setTrying(true);
    side.setChosen("attention");
    QLineEdit& field = *side.findChild<QLineEdit*>();
    field.setText("1");
    QTest::keyClick(&field, Qt::Key_Return);
    QVERIFY2(field.accessibleDescription().contains("1.4142"),
             qPrintable(field.accessibleDescription()));
    field.setText(QStringLiteral("√2/2"));
    QTest::keyClick(&field, Qt::Key_Return);
    QVERIFY2(field.accessibleDescription().contains("Right"),
             qPrintable(field.accessibleDescription()));
    QCOMPARE(f.shown("scaled[0,0]"), QString("0.7071"));
}

void TstExampleStage::eachCellIsSpokenWithMatrixRowColumnAndValue()
{
    StageFixture f;
    f.stage.finish();
    f.stage.matrices().placeCursor(f.example().address("output[2,0]"));
    const QString words = f.stage.matrices().accessibleDescription();
    for (const char* part : {"Output", "sat", "dim 0", "0.627617"})
        QVERIFY2(words.contains(part), qPrintable(words));
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&f.stage.matrices());
    QVERIFY(list);
    QCOMPARE(list->childCount(), 9 + 6 + 6); // weights, values, output
    QVERIFY(list->child(9)->text(QAccessible::Name).startsWith("Values V, The, dim 0: 1"));
}

void TstExampleStage::theStepIsSpokenWithItsNumbers()
{
    StageFixture f;
    f.key(Qt::Key_Space);
    const QString words = f.stage.matrices().accessibleDescription();
    QVERIFY2(words.startsWith("Scores, The, The: 1 times 1 plus 0 times 1 equals 1"),
             qPrintable(words));
}

void TstExampleStage::exactFormsStandInTheCells()
{
    StageFixture f;
    f.stage.goTo(endOf(f.example(), "Scale"));
    QCOMPARE(f.shown("scaled[0,0]"), QString("0.7071"));
    f.stage.setExact(true);
    QCOMPARE(f.shown("scaled[0,0]"), QStringLiteral("√2/2"));
    QVERIFY(f.stage.isExact());
}

void TstExampleStage::whatIsPointedAtIsMarked()
{
    StageFixture f;
    const QImage before = f.stage.grab().toImage();
    f.stage.highlight({"Q", "Scale"});
    QCOMPARE(f.diagram().pointed.size(), std::size_t{1});
    QVERIFY(f.stage.stages().content().pointed[1]);
    QVERIFY(f.stage.grab().toImage() != before);
    f.stage.highlight({});
    QCOMPARE(f.stage.grab().toImage(), before);
}

void TstExampleStage::theMarkKeepsOffTheLabels()
{
    StageFixture f;
    f.stage.goTo(1);
    const WorkedBlock* first = f.stage.matrices().layoutNow().block(0);
    QVERIFY(first);
    const WorkedBlock block = *first; // highlighting lays the matrices out anew
    QVERIFY(!block.columnLabels.isEmpty() && !block.rowLabels.isEmpty());
    const auto labels = [&](const QRectF& place) {
        return f.stage.matrices().grab(place.adjusted(0, 3, 0, 0).toRect()).toImage();
    };
    const QImage rows = labels(block.rowLabels);
    const QImage columns = labels(block.columnLabels);
    f.stage.highlight({QString::fromStdString(f.diagram().matrix(0).name)});
    QCOMPARE(labels(block.rowLabels), rows);
    QCOMPARE(labels(block.columnLabels), columns);
}

void TstExampleStage::controlsCanBeHidden()
{
    StageFixture f;
    f.stage.hideControls({"stages", "play", "edit"});
    QVERIFY(!f.stage.stages().isVisible());
    f.open("Q[0,0]");
    QVERIFY(!f.editor().isVisible());
    f.stage.hideControls({});
    QVERIFY(f.stage.stages().isVisible());
}

void TstExampleStage::everyExampleFitsASmallWindow_data()
{
    QTest::addColumn<QString>("name");
    for (const ExampleEntry& entry : exampleCatalogue())
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
}

/// The middle of a window of 1366 x 768: all cells of every step are inside, apart from each other
/// and from the equation.
void TstExampleStage::everyExampleFitsASmallWindow()
{
    QFETCH(QString, name);
    StageFixture f(name.toStdString());
    f.stage.resize(862, 576);
    for (const WorkedStage& stage : f.example().stages) {
        f.stage.goTo(stage.firstStep + 1);
        const WorkedLayout& layout = f.stage.matrices().layoutNow();
        QVERIFY2(layout.fits(), stage.title.c_str());
        const QRectF room = QRectF(f.stage.matrices().rect());
        for (const WorkedBlock& block : layout.large()) {
            QVERIFY2(room.contains(block.cells), stage.title.c_str());
            QVERIFY(block.pixels >= 12.0);
            QVERIFY(block.cells.bottom() <= layout.equation().area.top());
            for (const WorkedBlock& other : layout.large())
                QVERIFY(&block == &other || !block.cells.intersects(other.cells));
        }
        QVERIFY(room.contains(layout.equation().area));
        QVERIFY(room.contains(layout.equation().general));
    }
}

void TstExampleStage::whatDoesNotFitIsStillDrawn()
{
    StageFixture f;
    f.stage.goTo(1);
    const WorkedLayout layout(QRectF(0, 0, 420, 120), f.diagram(), Theme::light());
    QVERIFY(!layout.fits());
    QCOMPARE(layout.large().size(), std::size_t{3});
    for (const WorkedBlock& block : layout.large())
        QVERIFY(block.cells.width() > 20.0 && block.cells.height() > 20.0);
}

HEADSCOPE_WINDOW_TEST(TstExampleStage)
#include "tst_example_stage.moc"
