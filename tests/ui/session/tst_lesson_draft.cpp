#include "tests/ui/pages/lesson_fixture.h"
#include "ui/session/lessons/lesson_run_draft.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;

namespace {

QStringList titles(const LessonDraft& draft)
{
    QStringList list;
    for (const LessonStep& step : draft.lesson().steps)
        list << QString::fromStdString(step.title);
    return list;
}

void fill(LessonDraft& draft)
{
    for (const char* title : {"a", "b", "c"})
        draft.addStep(exampleStep(title, "text"));
}

} // namespace

class TstLessonDraft : public QObject
{
    Q_OBJECT

private slots:

    void stepsAreOrderedDeletedAndBroughtBack()
    {
        LessonDraft draft;
        fill(draft);
        draft.moveStep(0, 2);
        QCOMPARE(titles(draft), QStringList({"b", "c", "a"}));
        draft.moveStep(2, 1);
        QCOMPARE(titles(draft), QStringList({"b", "a", "c"}));
        draft.removeStep(1);
        QCOMPARE(titles(draft), QStringList({"b", "c"}));
        draft.undo();
        QCOMPARE(titles(draft), QStringList({"b", "a", "c"}));
        draft.redo();
        QCOMPARE(titles(draft), QStringList({"b", "c"}));
        draft.moveStep(0, 9);
        draft.removeStep(-1);
        QCOMPARE(titles(draft), QStringList({"b", "c"}));
    }

    void lettersTypedInARowAreOneStepBack()
    {
        LessonDraft draft;
        for (const char* title : {"T", "Ti", "Tit"})
            draft.edit("title", [title](Lesson& lesson) { lesson.title = title; });
        QCOMPARE(draft.lesson().id, std::string("tit"));
        draft.undo();
        QCOMPARE(draft.lesson().title, std::string("My lesson"));
        QVERIFY(!draft.canUndo());
    }

    void whatIsSavedIsOpenedAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("mine.json");
        LessonDraft draft;
        fill(draft);
        QVERIFY(!draft.isSaved());
        draft.addStep(exampleStep("without a text", ""));
        draft.save(path);
        QVERIFY(draft.isSaved());
        LessonDraft other;
        other.open(path);
        QCOMPARE(other.lesson(), draft.lesson());
        QCOMPARE(other.path(), path);
        QVERIFY(other.isSaved());
    }

    void whatMayNotBeOpenedIsNotWritten()
    {
        QTemporaryDir folder;
        LessonDraft draft;
        QVERIFY_EXCEPTION_THROWN(draft.save(folder.filePath("empty.json")), Error);
        QVERIFY(!QFile::exists(folder.filePath("empty.json")));
        fill(draft);
        QVERIFY_EXCEPTION_THROWN(draft.save(folder.filePath("no/such/folder.json")), Error);
        QVERIFY(!draft.isSaved());
        QVERIFY_EXCEPTION_THROWN(draft.open(folder.filePath("nothing.json")), Error);
        QCOMPARE(titles(draft), QStringList({"a", "b", "c"}));
    }

    void anUnfinishedLessonIsKept()
    {
        LessonDraft draft;
        fill(draft);
        draft.edit("q", [](Lesson& lesson) {
            lesson.title.clear();
            lesson.steps[1].title.clear();
            lesson.steps[1].question = LessonQuestion();
            lesson.steps[2].question = LessonQuestion{"?", {"one", "two"}, 1, {}, 0.005, {}, {}};
        });
        LessonDraft other;
        other.bringBack(draft.kept());
        QCOMPARE(other.lesson(), draft.lesson());
        QVERIFY(!other.isSaved());
        const Lesson before = other.lesson();
        other.bringBack("{\"lesson\": \"{}\"}");
        other.bringBack("nonsense");
        QCOMPARE(other.lesson(), before);
    }

    void idsAreMadeOfTitles()
    {
        QCOMPARE(lessonIdOf("The cat, sat: 2"), std::string("the-cat-sat-2"));
        QCOMPARE(lessonIdOf("\u6CE8\u610F"), std::string("lesson"));
        QVERIFY(lessonIdOf(QString("x").repeated(500)).size() <= 80);
    }
};

HEADSCOPE_WINDOW_TEST(TstLessonDraft)
#include "tst_lesson_draft.moc"
