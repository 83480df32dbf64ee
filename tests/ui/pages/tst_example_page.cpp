#include "core/attention/cpu_attention.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/example/example_figure.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/example/example_side.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QCheckBox>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

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

struct Fixture
{
    Fixture() : session({}, openTiny), view(session)
    {
        session.computation().setDevice("cpu");
        view.resize(1222, 604);
        view.show();
    }

    void openModel()
    {
        session.document().replaceText("the cat sat on the mat");
        session.models().open("tiny");
    }

    bool isReady() const
    {
        return session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket();
    }

    ExampleStage& stage() const { return childOf<ExampleStage>(view); }

    const WorkedExample& example() const { return stage().state().example; }

    QCheckBox& switchNamed(const QString& name) const
    {
        return childOf<QCheckBox>(childOf<ExampleSide>(view), name);
    }

    Session session;
    ExamplePage view;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstExampleView : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void theHeadOfTheOpenModelEndsAtItsOwnPattern();
    void anotherHeadOrTokenIsFollowed();
    void everyStageOfAHeadFitsASmallWindow();
    void withoutAModelOneReadsWhatToDo();
    void eachExampleIsFoundWhereItWasLeft();
    void optionsBringEverythingBack();
    void optionsOfOtherPagesAndNonsenseAreTaken();
    void editsAreUndoneByTheWindowsStack();
    void switchesAreFound();
    void theFigureHoldsTextThatCanBeSearched();
    void numbersAreSavedAsTables();
    void keysWalkFromTheColumnBeside();
};

void TstExampleView::theHeadOfTheOpenModelEndsAtItsOwnPattern()
{
    Fixture f;
    f.openModel();
    QTRY_VERIFY(f.isReady());
    f.session.view().activateHead(1, 1);
    f.session.view().selectPair(4, -1);
    f.view.workHead();
    QTRY_VERIFY(!f.example().steps.empty());
    const auto pattern = f.session.traceA()->find({Site::Pattern, 1});
    const TensorView row = pattern->view()[1][4];
    const WorkedMatrix* weights = f.example().find("weights");
    QVERIFY(weights);
    for (int key = 0; key < std::min(weights->columns(), 5); ++key)
        QVERIFY(std::abs(weights->values[static_cast<std::size_t>(key)] - double{row.data[key]}) <
                1e-6);
}

void TstExampleView::anotherHeadOrTokenIsFollowed()
{
    Fixture f;
    f.openModel();
    QTRY_VERIFY(f.isReady());
    f.session.view().selectPair(4, -1);
    f.view.workHead();
    QTRY_VERIFY(!f.example().steps.empty());
    f.stage().goTo(3);
    const std::vector<double> before = f.example().find("weights")->values;
    f.session.view().selectPair(3, -1);
    QTRY_VERIFY(f.example().find("weights")->values != before);
    QCOMPARE(f.stage().state().done, std::size_t{3}); // the place stays
}

void TstExampleView::everyStageOfAHeadFitsASmallWindow()
{
    Fixture f;
    f.openModel();
    QTRY_VERIFY(f.isReady());
    f.session.view().selectPair(5, -1);
    f.view.workHead();
    QTRY_VERIFY(!f.example().steps.empty());
    for (const WorkedStage& stage : f.example().stages) {
        f.stage().goTo(stage.firstStep + 1);
        const WorkedLayout& layout = f.stage().matrices().layoutNow();
        QVERIFY2(layout.fits(), stage.title.c_str());
        for (const WorkedBlock& block : layout.large())
            QVERIFY(QRectF(f.stage().matrices().rect()).contains(block.cells));
    }
}

void TstExampleView::withoutAModelOneReadsWhatToDo()
{
    Fixture f;
    f.view.workHead();
    QVERIFY(f.example().steps.empty());
    f.openModel();
    QTRY_VERIFY(!f.example().steps.empty()); // and goes on by itself
}

void TstExampleView::eachExampleIsFoundWhereItWasLeft()
{
    Fixture f;
    f.stage().goTo(12);
    f.stage().setCell(f.example().address("Q[0,0]"), "3");
    f.view.choose("rope");
    QCOMPARE(QString::fromStdString(f.example().name), QString("rope"));
    QCOMPARE(f.stage().state().done, std::size_t{0});
    f.view.choose("attention");
    QCOMPARE(f.stage().state().done, std::size_t{12});
    QCOMPARE(f.stage().state().inputs.matrix("Q").values.front(), 3.0);
}

void TstExampleView::optionsBringEverythingBack()
{
    Fixture f;
    f.view.choose("cross-entropy");
    f.stage().goTo(7);
    f.stage().setCell(f.example().address("logits[0,0]"), "-1.25");
    f.stage().setExact(true);
    f.stage().setTrying(true);
    const QJsonObject options = f.view.options();
    Fixture other;
    other.view.setOptions(options);
    QCOMPARE(other.view.options(), options);
    QCOMPARE(other.example().number("logits[0,0]"), -1.25);
    QVERIFY(other.stage().isTrying());
}

void TstExampleView::optionsOfOtherPagesAndNonsenseAreTaken()
{
    Fixture f;
    f.stage().goTo(2);
    f.view.setOptions({{"scale", "row"}});
    QCOMPARE(f.stage().state().done, std::size_t{2});
    f.view.setOptions({{"example", "no such thing"},
                       {"done", -1e300},
                       {"set", QJsonObject{{"Q[9,9]", "1"}, {"Q[0,0]", "nan"}, {"V[0,0]", 4}}}});
    QCOMPARE(f.view.options()["example"].toString(), QString("attention"));
    f.view.setOptions({{"example", "attention"}, {"done", 1e300}, {"set", 7}});
    QCOMPARE(f.stage().state().done, f.example().steps.size());
}

void TstExampleView::editsAreUndoneByTheWindowsStack()
{
    Fixture f;
    f.stage().setCell(f.example().address("V[1,1]"), "9");
    QCOMPARE(f.example().number("V[1,1]"), 9.0);
    f.session.document().undoStack().undo();
    QCOMPARE(f.example().number("V[1,1]"), 1.0);
}

void TstExampleView::switchesAreFound()
{
    Fixture f;
    QCheckBox& causal = f.switchNamed("causal");
    QVERIFY(!causal.isChecked());
    causal.click();
    QVERIFY(f.stage().state().inputs.isOn("causal"));
    f.session.document().undoStack().undo();
    QVERIFY(!f.switchNamed("causal").isChecked());
}

void TstExampleView::theFigureHoldsTextThatCanBeSearched()
{
    Fixture f;
    f.stage().goTo(f.example().steps.size() - 1);
    QTemporaryDir folder;
    const std::string path = (folder.path() + "/example.svg").toStdString();
    saveFigure(f.view.figure(), {}, path);
    const QByteArray svg = contentOf(QString::fromStdString(path));
    QVERIFY(!svg.contains("fill=\"\"")); // text would vanish in other viewers
    for (const char* text : {"Weighted sum", "Values V", "0.6276", "0.5035", "sat"})
        QVERIFY2(svg.contains(text), text);
    for (const char* ending : {".pdf", ".png"}) {
        const std::string other = (folder.path() + "/example").toStdString() + ending;
        saveFigure(f.view.figure(), {}, other);
        QVERIFY(QFileInfo(QString::fromStdString(other)).size() > 1000);
    }
    const Figure again = exampleFigure(f.session.viewSnapshot(), f.view.options());
    QCOMPARE(again.caption, f.view.figure().caption);
}

void TstExampleView::numbersAreSavedAsTables()
{
    Fixture f;
    f.stage().finish();
    const Figure figure = f.view.figure();
    QCOMPARE(figure.numbers.size(), f.example().matrices.size());
    const NumberTable& output = figure.numbers.back();
    QCOMPARE(output.name, QString("output"));
    QCOMPARE(output.rows, QStringList({"The", "cat", "sat"}));
    QVERIFY(std::abs(output.values.at({2, 0}) - 0.627617F) < 1e-6F);
    f.stage().restart();
    QVERIFY(std::isnan(f.view.figure().numbers.back().values.at({2, 0})));
}

void TstExampleView::keysWalkFromTheColumnBeside()
{
    Fixture f;
    QCheckBox& scale = f.switchNamed("scale");
    scale.setFocus();
    QTest::keyClick(&scale, Qt::Key_End);
    QCOMPARE(f.stage().state().done, f.example().steps.size());
    QTest::keyClick(&scale, Qt::Key_Space); // is the box's own
    QVERIFY(!f.stage().state().inputs.isOn("scale"));
}

HEADSCOPE_WINDOW_TEST(TstExampleView)
#include "tst_example_page.moc"
