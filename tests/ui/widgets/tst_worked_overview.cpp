// Whole formula and known matrices below the current step of a worked example.
#include "core/lessons/worked/example_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/worked/worked_overview.h"
#include "ui/widgets/worked/worked_pane.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QAccessible>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

WorkedDiagram diagramOf(const std::string& name)
{
    WorkedDiagram diagram;
    diagram.example = std::make_shared<const WorkedExample>(workExample(exampleInputs(name)));
    diagram.done = diagram.example->steps.size();
    return diagram;
}

/// Number of steps done when the stage's first number is computed.
std::size_t firstOf(const WorkedDiagram& diagram, const std::string& stage)
{
    for (const WorkedStage& each : diagram.example->stages)
        if (each.title == stage)
            return each.firstStep + 1;
    return 0;
}

QStringList titlesOf(const WorkedDiagram& diagram)
{
    QStringList titles;
    for (const int matrix : knownMatrices(diagram))
        titles << QString::fromStdString(diagram.matrix(matrix).title);
    return titles;
}

struct PaneFixture
{
    explicit PaneFixture(const std::string& name, QSize size) : diagram(diagramOf(name))
    {
        pane.resize(size);
        pane.setDiagram(diagram);
        pane.show();
        pane.activateWindow();
        static_cast<void>(QTest::qWaitForWindowActive(&pane));
    }

    int indexOf(const QString& title) const
    {
        const auto& blocks = pane.overview().matrices().blocks();
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (QString::fromStdString(diagram.matrix(blocks[i].matrix).title) == title)
                return static_cast<int>(i);
        return -1;
    }

    QPoint centreOf(const QString& title) const
    {
        const auto& blocks = pane.overview().matrices().blocks();
        return blocks[static_cast<std::size_t>(indexOf(title))].cells.center().toPoint();
    }

    WorkedDiagram diagram;
    WorkedPane pane;
};

} // namespace

class TstWorkedOverview : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void matricesAreThoseThatExistAlready();
    void everythingFitsBelowTheStep_data();
    void everythingFitsBelowTheStep();
    void aLargeWindowHasLargerMatrices();
    void aSmallWindowHasEarlierResultsAbove();
    void fewerMatricesKeepTheKeyboardAmongThem();
    void nothingMovesWithinAStage();
    void aClickGoesToTheStepThatMadeIt();
    void keysGoToTheStepThatMadeIt();
    void namesAndNumbersAreRead();
};

void TstWorkedOverview::matricesAreThoseThatExistAlready()
{
    WorkedDiagram diagram = diagramOf("attention");
    diagram.done = 0;
    QCOMPARE(titlesOf(diagram), QStringList({"Queries Q", "Keys K", "Values V"}));
    diagram.done = firstOf(diagram, "Scale");
    QCOMPARE(titlesOf(diagram),
             QStringList({"Queries Q", "Keys K", "Values V", "Scores", "Scaled"}));
}

void TstWorkedOverview::everythingFitsBelowTheStep_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    for (const ExampleEntry& entry : exampleCatalogue()) {
        const QString name = QString::fromStdString(entry.name);
        for (const QSize size : {QSize(880, 640), QSize(2000, 1150)})
            QTest::addRow("%s %d", entry.name.c_str(), size.width()) << name << size << 1.0;
        QTest::addRow("%s presented", entry.name.c_str()) << name << QSize(1900, 1150) << 1.4;
    }
}

void TstWorkedOverview::everythingFitsBelowTheStep()
{
    QFETCH(QString, name);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const Theme theme = Theme::named(false, bodyFont(scale));
    applyTheme(*qApp, theme);
    const auto restored = qScopeGuard([] { applyTheme(*qApp, Theme::light()); });
    PaneFixture f(name.toStdString(), size);
    bool isShown = false;
    for (const WorkedStage& stage : f.diagram.example->stages) {
        f.diagram.done = stage.firstStep + stage.steps;
        f.pane.setDiagram(f.diagram);
        const WorkedOverview& overview = f.pane.overview();
        if (overview.isHidden())
            continue;
        isShown = true;
        const QRectF room = QRectF(overview.rect());
        QVERIFY2(f.pane.matrices().geometry().bottom() < overview.geometry().top(),
                 stage.title.c_str());
        QVERIFY(f.pane.rect().contains(overview.geometry()));
        for (const WorkedOverview::Line& line : overview.formulas()) {
            const QSizeF needed = formulaSize(line.formula, line.pixels, theme);
            QVERIFY2(room.contains(QRectF(line.corner, needed)), stage.title.c_str());
            QVERIFY2(line.pixels >= 11.0, stage.title.c_str());
        }
        QVERIFY(overview.matrices().left() == 0 || size.width() < 1400 * scale);
        for (const WorkedBlock& block : overview.matrices().blocks())
            QVERIFY2(room.contains(block.title.united(block.cells)), stage.title.c_str());
    }
    QVERIFY(isShown);
}

void TstWorkedOverview::aLargeWindowHasLargerMatrices()
{
    PaneFixture small("attention", {880, 640});
    PaneFixture large("attention", {2000, 1150});
    const QRectF before = small.pane.overview().matrices().blocks().front().cells;
    const QRectF after = large.pane.overview().matrices().blocks().front().cells;
    QVERIFY(after.height() > 1.5 * before.height());
}

void TstWorkedOverview::aSmallWindowHasEarlierResultsAbove()
{
    PaneFixture f("attention", {880, 300});
    QVERIFY(f.pane.overview().isHidden());
    QVERIFY(f.pane.matrices().diagram().showsEarlier);
    QCOMPARE(f.pane.matrices().height(), 300);
    f.pane.resize(880, 440); // room for the formula
    QVERIFY(!f.pane.overview().isHidden());
    QVERIFY(!f.pane.overview().formulas().empty());
    QVERIFY(f.pane.overview().matrices().blocks().empty());
    QVERIFY(f.pane.matrices().diagram().showsEarlier);
    f.pane.resize(880, 700);
    QVERIFY(!f.pane.overview().isHidden());
    QVERIFY(f.pane.matrices().layoutNow().small().empty());
}

void TstWorkedOverview::fewerMatricesKeepTheKeyboardAmongThem()
{
    WorkedOverview overview;
    overview.resize(1200, 400);
    overview.setDiagram(diagramOf("adamw"));
    overview.show();
    overview.setFocus();
    QTest::keyClick(&overview, Qt::Key_End);
    const auto last = overview.currentItem();
    QCOMPARE(last, static_cast<int>(overview.matrices().blocks().size()) - 1);
    overview.resize(400, 130);
    QVERIFY(overview.matrices().left() > 0);
    QVERIFY(*overview.currentItem() < static_cast<int>(overview.matrices().blocks().size()));
    overview.grab();
}

void TstWorkedOverview::nothingMovesWithinAStage()
{
    PaneFixture f("attention", {880, 640});
    const WorkedStage& stage = f.diagram.example->stages[0];
    QRect place;
    for (std::size_t i = 1; i <= stage.steps; ++i) {
        f.diagram.done = stage.firstStep + i;
        f.pane.setDiagram(f.diagram);
        if (i > 1)
            QCOMPARE(f.pane.overview().geometry(), place);
        place = f.pane.overview().geometry();
    }
}

void TstWorkedOverview::aClickGoesToTheStepThatMadeIt()
{
    PaneFixture f("attention", {880, 640});
    QSignalSpy spy(&f.pane.overview(), &WorkedOverview::stepWanted);
    QTest::mouseClick(&f.pane.overview(), Qt::LeftButton, {}, f.centreOf("Scaled"));
    QTest::mouseClick(&f.pane.overview(), Qt::LeftButton, {}, f.centreOf("Queries Q"));
    QCOMPARE(spy.size(), 2);
    QCOMPARE(spy[0][0].value<std::size_t>(), firstOf(f.diagram, "Scale"));
    QCOMPARE(spy[1][0].value<std::size_t>(), std::size_t{0});
}

void TstWorkedOverview::keysGoToTheStepThatMadeIt()
{
    PaneFixture f("attention", {880, 640});
    WorkedOverview& overview = f.pane.overview();
    QSignalSpy spy(&overview, &WorkedOverview::stepWanted);
    QCOMPARE(overview.focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    overview.setFocus();
    QTest::keyClick(&overview, Qt::Key_Right);
    for (int i = 0; i < f.indexOf("Scores"); ++i)
        QTest::keyClick(&overview, Qt::Key_Right);
    QTest::keyClick(&overview, Qt::Key_Return);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].value<std::size_t>(), firstOf(f.diagram, "Scores"));
}

void TstWorkedOverview::namesAndNumbersAreRead()
{
    PaneFixture f("attention", {880, 640});
    WorkedOverview& overview = f.pane.overview();
    QVERIFY(!overview.accessibleName().isEmpty());
    QVERIFY2(overview.accessibleDescription().contains("softmax"),
             qPrintable(overview.accessibleDescription()));
    QVERIFY(overview.accessibleDescription().contains("Current operation: Weighted sum"));
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&overview);
    QCOMPARE(list->childCount(), static_cast<int>(overview.matrices().blocks().size()));
    const int scores = f.indexOf("Scores");
    QCOMPARE(list->child(scores)->text(QAccessible::Name),
             QStringLiteral("Scores, 3 × 3, computed in step 1, Scores"));
    overview.setFocus();
    QTest::keyClick(&overview, Qt::Key_Right);
    QVERIFY2(overview.accessibleDescription().contains("The: 1  0"),
             qPrintable(overview.accessibleDescription()));
}

HEADSCOPE_WINDOW_TEST(TstWorkedOverview)
#include "tst_worked_overview.moc"
