// labels: threads
#include "core/lessons/lesson_json.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lesson_fixture.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/lessons/lesson_author_form.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lesson_column.h"
#include "ui/pages/lessons/lesson_list.h"
#include "ui/pages/lessons/lesson_stage.h"
#include "ui/pages/lessons/lesson_start.h"
#include "ui/pages/lessons/lessons_contents.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/number_cards.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/lesson_files.h"
#include "ui/window/lessons/presenter_scale.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolBar>
#include <QWhatsThisClickedEvent>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;
using headscope::ui::test::childOf;

namespace {

/// A lesson of two pages of the window, the second with a session of its own, and a lab.
Lesson pagesLesson()
{
    Lesson lesson{"pages", "Pages", "On the pages themselves.", {}, {"overview"}, {}};
    LessonStep open;
    open.title = "As it is open";
    open.text = "Look.";
    open.state = {LessonState::Kind::Page, "overview", {}, {}, {}};
    SessionState session;
    session.model = "tiny";
    session.text = "a mat";
    session.page = "what-if";
    LessonStep own = open;
    own.title = "With its own text";
    own.state.name = "what-if";
    own.state.session = nlohmann::json::parse(sessionJson(session).toStdString());
    own.highlight = {"tokens"};
    own.hide = {"sentence"};
    LessonStep lab = open;
    lab.title = "In three pictures";
    lab.state = {LessonState::Kind::Lab, "sinusoid", {}, {}, {}};
    lesson.steps = {open, own, lab};
    return lesson;
}

bool fitsWithoutScrolling(const LessonColumn& column)
{
    return column.findChild<QScrollArea*>()->verticalScrollBar()->maximum() == 0;
}

QString complaintsOf(const LessonAuthorPage& author)
{
    return childOf<TextLabel>(author, "complaints").text();
}

struct LessonWindow : WindowFixture
{
    LessonWindow()
    {
        lessonsOf(session).setLibrary(sampleLibrary({pagesLesson()}));
        window->resize(1366, 768);
    }

    LessonRun& run() { return lessonsOf(session); }

    LessonDesk& desk() { return window->lessonDesk(); }

    bool isColumnShown() const { return window->findChild<QDockWidget*>("lesson")->isVisible(); }

    LessonsPage& page() { return partOf<LessonsPage>(*window); }

    /// Where a number is typed in answer to a question.
    QLineEdit& answerField() { return childOf<QLineEdit>(desk().column()); }

    void trigger(const QKeySequence& key)
    {
        for (QAction* action : window->findChild<WindowActions*>()->all()) {
            if (action->shortcuts().contains(key))
                return action->trigger();
        }
        QFAIL("no such shortcut");
    }

    QWidget& focus()
    {
        return QApplication::focusWidget() ? *QApplication::focusWidget() : *window;
    }
};

} // namespace

class TstLessons : public QObject
{
    Q_OBJECT

private slots:
    void theColumnStandsWhereTheInspectorDoes();
    void aStepBringsItsSessionAndThePersonsComesBack();
    void aLabAfterAPageShowsNothingOfThatPage();
    void closingInALessonRemembersWhatThePersonHad();
    void aLessonIsWalkedByKeysAlone();
    void aClickerGoesOnBackAndBlanks();
    void drawingsKeepTheirKeysWhilePresented();
    void aClickersStartKeyStartsNoTraining();
    void presentedStepsFitTheScreen();
    void presentedLabsGetTypeThatFits();
    void whatThePageShowsBecomesAStep();
    void aDraftSurvivesTheWindow();
    void theExampleOpensAsACopyToChange();
    void aNewLessonHasItsFirstStep();
    void whatIsWrongIsSaidWhileWriting();
    void aLessonFileIsPlayed();
    void aMalformedLessonFileIsSaid();
    void thePaletteAndWhatsThisKnowTheLessons();
    void progressIsInTheSettings();
};

void TstLessons::theColumnStandsWhereTheInspectorDoes()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    const auto& inspector = childOf<InspectorPage>(*f.window);
    QVERIFY(inspector.isVisible());
    f.run().start("scores");
    QCOMPARE(f.window->page(), QStringLiteral("lessons"));
    QVERIFY(f.isColumnShown());
    QVERIFY(!inspector.isVisible());
    QCOMPARE(f.desk().column().width(), 312);
    f.window->showPage("overview"); // the lesson is still open
    QVERIFY(f.isColumnShown());
    QVERIFY(!inspector.isVisible());
    f.run().leave();
    QVERIFY(!f.isColumnShown());
    f.window->showPage("overview");
    QVERIFY(inspector.isVisible());
}

void TstLessons::aStepBringsItsSessionAndThePersonsComesBack()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.session.view().activateHead(1, 1);
    const int undo = f.session.document().undoStack().index();
    f.run().start("pages");
    QCOMPARE(f.window->page(), QStringLiteral("overview"));
    QCOMPARE(f.session.text(), QStringLiteral("the cat sat"));
    f.run().goTo(1);
    QTRY_COMPARE(f.session.text(), QStringLiteral("a mat"));
    QCOMPARE(f.window->page(), QStringLiteral("what-if"));
    auto* sentence = f.window->findChild<QToolBar*>("sentence");
    QTRY_VERIFY(!sentence->isVisible());                // the step hides it
    f.session.document().replaceText("a mat and more"); // the person tries something
    f.run().leave();
    QTRY_COMPARE(f.session.text(), QStringLiteral("the cat sat"));
    QCOMPARE(f.session.selection().layer, 1);
    QCOMPARE(f.session.document().undoStack().index(), undo);
    QCOMPARE(f.window->page(), QStringLiteral("lessons"));
    QVERIFY(sentence->isVisible());
}

void TstLessons::aLabAfterAPageShowsNothingOfThatPage()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.run().start("pages");
    f.run().goTo(1);
    QTRY_COMPARE(f.session.text(), QStringLiteral("a mat"));
    f.run().goTo(2);
    QTRY_COMPARE(f.session.text(), QStringLiteral("the cat sat"));
    QCOMPARE(f.window->page(), QStringLiteral("lessons"));
    QVERIFY(f.run().isOpen());
    f.run().goTo(1);
    QTRY_COMPARE(f.session.text(), QStringLiteral("a mat"));
    QCOMPARE(f.window->page(), QStringLiteral("what-if"));
}

void TstLessons::closingInALessonRemembersWhatThePersonHad()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.run().start(pagesLesson(), 1);
    QTRY_COMPARE(f.session.text(), QStringLiteral("a mat"));
    f.window->close();
    QCOMPARE(f.settings.text(Setting::Sentence), QStringLiteral("the cat sat"));
}

void TstLessons::aLessonIsWalkedByKeysAlone()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->activateWindow();
    f.window->showPage("lessons");
    auto& list = childOf<LessonList>(f.page());
    f.page().focusMain();
    QCOMPARE(QApplication::focusWidget(), &list);
    QCOMPARE(list.currentId(), QStringLiteral("scores"));
    QTest::keyClick(&list, Qt::Key_Down);
    QCOMPARE(list.currentId(), QStringLiteral("softmax"));
    QTest::keyClick(&list, Qt::Key_Home);
    QTest::keyClick(&list, Qt::Key_Return);
    QVERIFY(f.run().isOpen());
    QTRY_VERIFY(f.run().filled());
    QCOMPARE(QApplication::focusWidget(), &f.desk().column().nextButton());
    QTest::keyClick(&f.focus(), Qt::Key_Space);
    QCOMPARE(f.run().step(), 1);
    QTRY_VERIFY(f.run().filled());
    QLineEdit& field = f.answerField();
    QTRY_VERIFY(field.isVisible());
    field.setFocus(Qt::TabFocusReason);
    QTest::keyClicks(&field, "0.37");
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(f.run().verdict().kind, LessonVerdict::Kind::Right);
    f.trigger(QKeySequence("Alt+PgDown"));
    QCOMPARE(f.run().step(), 2);
    f.trigger(QKeySequence("Alt+PgUp"));
    QCOMPARE(f.run().step(), 1);
}

void TstLessons::aClickerGoesOnBackAndBlanks()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->activateWindow();
    f.run().start("scores");
    f.window->setPresenting(true);
    QVERIFY(!f.window->findChild<QToolBar*>("tokens")->isVisible());
    const int layer = f.session.selection().layer;
    QTest::keyClick(&f.focus(), Qt::Key_PageDown);
    QCOMPARE(f.run().step(), 1);
    QTest::keyClick(&f.focus(), Qt::Key_PageUp);
    QCOMPARE(f.run().step(), 0);
    QCOMPARE(f.session.selection().layer, layer);
    QTest::keyClick(&f.focus(), Qt::Key_Right);
    QTest::keyClick(&f.focus(), Qt::Key_Space);
    QCOMPARE(f.run().step(), 2);
    QTest::keyClick(&f.focus(), Qt::Key_Left);
    QCOMPARE(f.run().step(), 1);
    QTest::keyClick(&f.focus(), Qt::Key_Period);
    auto* blank = f.window->findChild<QWidget*>("blankScreen");
    QVERIFY(blank && blank->size() == f.window->size());
    QTest::keyClick(&f.focus(), Qt::Key_PageDown); // only shows the lesson again
    QTRY_VERIFY(!f.window->findChild<QWidget*>("blankScreen"));
    QCOMPARE(f.run().step(), 1);
    QTest::keyClick(f.window.get(), Qt::Key_Escape);
    QVERIFY(!f.window->isPresenting());
    QVERIFY(f.run().isOpen());
    QVERIFY(f.window->findChild<QToolBar*>("tokens")->isVisible());
}

void TstLessons::drawingsKeepTheirKeysWhilePresented()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->activateWindow();
    f.run().start("scores");
    f.run().goTo(1);
    QTRY_VERIFY(f.run().filled());
    f.window->setPresenting(true);
    QLineEdit& field = f.answerField();
    field.setFocus(Qt::TabFocusReason);
    QTest::keyClicks(&field, "0.3 7");
    QCOMPARE(field.text(), QStringLiteral("0.3 7"));
    QTest::keyClick(&field, Qt::Key_Left);
    QCOMPARE(f.run().step(), 1);
    QTest::keyClick(&field, Qt::Key_PageDown);
    QCOMPARE(f.run().step(), 2);
}

void TstLessons::aClickersStartKeyStartsNoTraining()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->activateWindow();
    f.run().start("scores");
    QTest::keyClick(&f.focus(), Qt::Key_F5);
    QVERIFY(f.window->isPresenting());
    QTest::keyClick(&f.focus(), Qt::Key_F5, Qt::ShiftModifier);
    QVERIFY(f.window->isPresenting());
    QVERIFY(!f.session.training().hasRun());
    QCOMPARE(f.window->page(), QStringLiteral("lessons"));
}

void TstLessons::presentedStepsFitTheScreen()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.run().start("scores");
    f.window->setPresenting(true);
    applyTheme(*qApp, Theme::named(true, bodyFont(1.4)));
    f.window->resize(1366, 768);
    for (int step = 0; step < 3; ++step) {
        f.run().goTo(step);
        QTRY_VERIFY(f.page().isSettled());
        QTRY_VERIFY(fitsWithoutScrolling(f.desk().column()));
        QTRY_COMPARE(f.window->size(), QSize(1366, 768));
    }
    applyTheme(*qApp, Theme::light());
}

void TstLessons::presentedLabsGetTypeThatFits()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    double scale = 1.0;
    const auto use = [&scale](double wanted) {
        scale = wanted;
        applyTheme(*qApp, Theme::named(true, bodyFont(wanted)));
    };
    connect(&f.desk().presenterScale(), &PresenterScale::changed, f.window.get(), use);
    f.run().start(pagesLesson(), 2);
    const LabStage& lab = f.page().stage().lab();
    QTRY_VERIFY(lab.result());
    use(PresenterScale::kLargest);
    f.window->setPresenting(true);
    QTRY_VERIFY(scale < PresenterScale::kLargest); // three pictures
    QVERIFY(scale > 1.05);
    QVERIFY(childOf<LabPanels>(lab).fit() > 0.8);
    QVERIFY(!lab.findChild<NumberCards*>()->isVisible());
    f.run().start("scores"); // a worked example has room for the largest
    QTRY_COMPARE(scale, PresenterScale::kLargest);
    applyTheme(*qApp, Theme::light());
}

void TstLessons::whatThePageShowsBecomesAStep()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->showPage("what-if");
    f.trigger(QKeySequence("Ctrl+Shift+D"));
    const Lesson& own = f.run().draft().lesson();
    QCOMPARE(own.steps.size(), std::size_t{1});
    QCOMPARE(own.steps[0].state.name, std::string("what-if"));
    QVERIFY(own.steps[0].state.session.at("text") == "the cat sat");
    f.run().start("scores");
    QTRY_VERIFY(f.page().isSettled());
    f.trigger(QKeySequence("Ctrl+Shift+D"));
    QCOMPARE(own.steps.size(), std::size_t{2});
    QCOMPARE(own.steps[1].state.kind, LessonState::Kind::Example);
    QCOMPARE(own.steps[1].state.name, std::string("attention"));
    QCOMPARE(own.steps[1].state.at, std::string("end"));
    f.run().leave();
    f.trigger(QKeySequence("Ctrl+Shift+D")); // the contents are no state
    QCOMPARE(own.steps.size(), std::size_t{2});
    QVERIFY(f.window->messages().sentence().contains("no state to add"));
    f.session.document().replaceText("something else");
    f.run().start(Lesson(own));
    QTRY_COMPARE(f.session.text(), QStringLiteral("the cat sat"));
    QCOMPARE(f.window->page(), QStringLiteral("what-if"));
}

void TstLessons::aDraftSurvivesTheWindow()
{
    QTemporaryDir folder;
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.trigger(QKeySequence("Ctrl+Shift+D"));
    auto* author = &partOf<LessonAuthorPage>(*f.window);
    f.window->showPage("your-lesson");
    author->form().title().setText("My first step");
    childOf<QPlainTextEdit>(author->form(), "text").setPlainText("Look at **this**.");
    f.desk().files().keepDraft();
    QCOMPARE(childOf<QListWidget>(*author).count(), 1);
    Session other({}, openTiny);
    auto window = std::make_unique<MainWindow>(other, f.settings, QStringList{"tiny"});
    QCOMPARE(lessonsOf(other).draft().lesson(), f.run().draft().lesson());
    const QString path = folder.filePath("mine.json");
    f.desk().files().saveDraft(path);
    QCOMPARE(QString::fromStdString(loadLesson(path.toStdString()).steps[0].title),
             QStringLiteral("My first step"));
}

void TstLessons::theExampleOpensAsACopyToChange()
{
    const Lesson sample =
        loadLesson(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/lessons/sample.json");
    QTemporaryDir folder;
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    auto* author = &partOf<LessonAuthorPage>(*f.window);
    f.run().setLibrary(std::make_shared<const LessonLibrary>(Course(), std::vector{sample}));
    f.window->showPage("your-lesson");
    QVERIFY(author->start().isVisible());
    QVERIFY(!childOf<QListWidget>(*author).isVisible());
    QStringList texts;
    for (const QLabel* label : childOf<QWidget>(author->start(), "preview").findChildren<QLabel*>())
        texts << label->text();
    for (const LessonStep& step : sample.steps)
        QVERIFY(texts.join('\n').contains(QString::fromStdString(step.title)));
    author->focusMain();
    QVERIFY(author->start().exampleButton().hasFocus());
    author->start().exampleButton().click();
    QVERIFY(!author->start().isVisible());
    const LessonDraft& draft = f.run().draft();
    QCOMPARE(draft.lesson().steps, sample.steps);
    QVERIFY(draft.path().isEmpty());
    QVERIFY(!draft.isSaved());
    QTRY_COMPARE(complaintsOf(*author), QStringLiteral("No problems."));
    for (const QPushButton* button : author->findChildren<QPushButton*>())
        if (button->isVisible())
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    author->form().title().setText("Another text");
    const QString path = folder.filePath("mine.json");
    f.desk().files().saveDraft(path);
    QVERIFY(draft.isSaved());
    QCOMPARE(loadLesson(path.toStdString()).steps[0].title, std::string("Another text"));
    QCOMPARE(f.run().library().sample()->steps, sample.steps);
}

void TstLessons::aNewLessonHasItsFirstStep()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    auto* author = &partOf<LessonAuthorPage>(*f.window);
    f.window->showPage("your-lesson");
    QVERIFY(!author->start().exampleButton().isVisible()); // this library has none
    author->start().newButton().click();
    const LessonDraft& draft = f.run().draft();
    QCOMPARE(draft.lesson().steps.size(), std::size_t{1});
    QCOMPARE(draft.lesson().steps[0].state.name, std::string("overview"));
    QVERIFY(draft.lesson().steps[0].state.session.at("text") == "the cat sat");
    QVERIFY(author->form().title().hasFocus());
    f.run().draft().undo();
    QVERIFY(draft.lesson().steps.empty());
    QVERIFY(author->start().isVisible());
}

void TstLessons::whatIsWrongIsSaidWhileWriting()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.run().draft().addStep(exampleStep("A step", "All is well: {{scores[2,0]}}."));
    f.window->showPage("your-lesson");
    auto* author = &partOf<LessonAuthorPage>(*f.window);
    QTRY_VERIFY(complaintsOf(*author).contains("No problems"));
    childOf<QPlainTextEdit>(author->form(), "text")
        .setPlainText("This is $\\frac{a}$ and {{scroes[0,0]}}.");
    QTRY_VERIFY(complaintsOf(*author).contains("step 1"));
    QVERIFY2(complaintsOf(*author).contains("scores"), qPrintable(complaintsOf(*author)));
    childOf<QPlainTextEdit>(author->form(), "text").setPlainText("Three.");
    childOf<QComboBox>(author->form()).setCurrentIndex(2);
    childOf<QLineEdit>(author->form(), "prompt").setText("Which one?");
    childOf<QPlainTextEdit>(author->form(), "choices").setPlainText("this\n* that");
    QTRY_VERIFY(f.run().draft().lesson().steps[0].question.has_value());
    QCOMPARE(f.run().draft().lesson().steps[0].question->right, 1);
    QCOMPARE(f.run().draft().lesson().steps[0].question->choices[1], std::string("that"));
}

void TstLessons::aLessonFileIsPlayed()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("shared.json");
    saveLesson(scoresLesson(), path.toStdString());
    LessonWindow f;
    f.window->openPath(path);
    QVERIFY(f.run().isOpen());
    QCOMPARE(f.run().lesson().title, std::string("Scores"));
    QCOMPARE(f.window->page(), QStringLiteral("lessons"));
}

void TstLessons::aMalformedLessonFileIsSaid()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("broken.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"headscope-lesson\", \"version\": 1, \"id\": 3}");
    file.close();
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.window->openPath(path);
    QVERIFY(!f.run().isOpen());
    QCOMPARE(f.window->messages().kind(), MessageKind::Error);
    QVERIFY2(f.window->messages().sentence().contains("broken.json"),
             qPrintable(f.window->messages().sentence()));
    QCOMPARE(f.session.text(), QStringLiteral("the cat sat"));
}

void TstLessons::thePaletteAndWhatsThisKnowTheLessons()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.trigger(QKeySequence("Ctrl+Shift+P"));
    QVERIFY(shownTexts(*f.window->findChild<CommandPalette*>())
                .contains(QStringLiteral("softmax \u2014 lesson Softmax")));
    auto* overview = &partOf<OverviewPage>(*f.window);
    QVERIFY(overview->whatsThis().contains("lesson:pages"));
    QWhatsThisClickedEvent clicked("lesson:pages");
    QCoreApplication::sendEvent(overview, &clicked);
    QVERIFY(f.run().isOpen());
    QCOMPARE(f.run().lesson().id, std::string("pages"));
    f.run().leave();
    f.window->showPage("what-if");
    f.trigger(QKeySequence("Ctrl+F1"));
    QCOMPARE(f.run().lesson().id, std::string("pages"));
    f.desk().follow("term:Softmax");
    QCOMPARE(f.run().lesson().id, std::string("softmax"));
    f.desk().follow("term:nothing of the kind");
    QVERIFY(f.window->messages().sentence().contains("No lesson"));
}

void TstLessons::progressIsInTheSettings()
{
    LessonWindow f;
    QTRY_VERIFY(f.isPainted());
    f.run().start("scores");
    f.run().goTo(1);
    const QByteArray kept = f.settings.value(Setting::Lessons).toByteArray();
    QCOMPARE(LessonProgress::fromJson(kept).seen("scores", 3), 2);
    f.run().leave();
    f.window->showPage("lessons");
    const auto& contents = childOf<LessonsContents>(f.page());
    auto& reset = *contents.findChild<QPushButton*>("reset");
    QVERIFY(contents.findChild<QPushButton*>("continue")->text().contains("Scores"));
    reset.click();
    QCOMPARE(f.run().progress().seen("scores", 3), 2); // asks first
    reset.click();
    QCOMPARE(f.run().progress(), LessonProgress());
    QCOMPARE(LessonProgress::fromJson(f.settings.value(Setting::Lessons).toByteArray()),
             LessonProgress());
}

HEADSCOPE_WINDOW_TEST(TstLessons)
#include "tst_lessons.moc"
