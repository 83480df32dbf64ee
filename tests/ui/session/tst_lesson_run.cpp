// labels: threads
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/pages/lesson_fixture.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/session/lessons/lesson_run.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;

namespace {

/// Steps of the lesson "scores" that were answered right, as they are stored.
QJsonArray rightSteps(const LessonRun& run)
{
    const QJsonObject stored = QJsonDocument::fromJson(run.progress().json()).object();
    return stored["lessons"].toObject()["scores"].toObject()["right"].toArray();
}

} // namespace

class TstLessonRun : public QObject
{
    Q_OBJECT

private slots:

    void textsAreFilledWithTheNumbersOfTheExample()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        run.setLibrary(sampleLibrary());
        run.start("scores");
        QVERIFY(run.isOpen());
        QVERIFY(!run.isSettled());
        QTRY_VERIFY(run.filled());
        // q of "sat" times k of "The" is 1 * 1 + 1 * 1, and its softmax over 2, 1, 1 at root 2
        const double first = std::exp(2.0 / std::sqrt(2.0));
        const double other = std::exp(1.0 / std::sqrt(2.0));
        const QString weight = QString::number(first / (first + 2.0 * other), 'f', 4);
        QCOMPARE(QString::fromStdString(run.filled()->text),
                 "The query of sat meets The: $q \\cdot k = $ **2**, then the softmax makes it " +
                     weight + ".");
        QCOMPARE(run.number(), 1);
        QCOMPARE(QString::fromStdString(run.next()->id), QStringLiteral("softmax"));
    }

    void aNumberIsRightWithinItsTolerance()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        run.start(scoresLesson(), 1);
        QSignalSpy answered(&run, &LessonRun::answered);
        run.answerNumber("0.37"); // before anything can be said about it
        QCOMPARE(answered.size(), 0);
        QTRY_VERIFY(run.filled());
        const double right = run.filled()->answer;
        QVERIFY(std::abs(right - 0.3724) < 1e-4); // as the curriculum has it
        using Kind = LessonVerdict::Kind;
        run.answerNumber(QString::number(right - 0.0049));
        QCOMPARE(run.verdict().kind, Kind::Right);
        run.answerNumber("0.3");
        QCOMPARE(run.verdict().kind, Kind::Wrong);
        QVERIFY(run.verdict().sentence.contains("larger"));
        run.answerNumber("0,9");
        QVERIFY(run.verdict().sentence.contains("smaller"));
        for (const char* bad : {"", "abc", "nan", "inf", "1e300", "1/0", "1/2/3", "--1"}) {
            run.answerNumber(bad);
            QCOMPARE(run.verdict().kind, Kind::Unreadable);
        }
        QCOMPARE(rightSteps(run), QJsonArray{1});
        run.goTo(2);
        QCOMPARE(run.verdict().kind, Kind::None);
    }

    void peopleWriteNumbersInManyWays()
    {
        QCOMPARE(typedNumber(" 0,25 "), std::optional(0.25));
        QCOMPARE(typedNumber("\u22121/4"), std::optional(-0.25));
        QCOMPARE(typedNumber("50 %"), std::optional(0.5));
        QCOMPARE(typedNumber("1e3"), std::optional(1000.0));
        QVERIFY(!typedNumber("1e300"));
        QVERIFY(!typedNumber("0x10"));
    }

    void aChoiceIsRightOrNot()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        run.start(scoresLesson(), 2);
        QTRY_VERIFY(run.filled());
        run.answerChoice(0);
        QCOMPARE(run.verdict().kind, LessonVerdict::Kind::Wrong);
        QCOMPARE(rightSteps(run), QJsonArray());
        run.answerChoice(1);
        QCOMPARE(run.verdict().kind, LessonVerdict::Kind::Right);
        QCOMPARE(rightSteps(run), QJsonArray{2});
    }

    void theNewestStepIsTheOneThatIsFilled()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        run.start(scoresLesson());
        for (int round = 0; round < 30; ++round)
            run.goTo(round % 3);
        QTRY_VERIFY(run.filled());
        QCOMPARE(run.step(), 2);
        QCOMPARE(QString::fromStdString(run.filled()->title), QStringLiteral("Selected head"));
        run.leave();
        QVERIFY(!run.isOpen());
        QVERIFY(!run.filled());
    }

    void whatIsNotThereIsSaid()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        Lesson lesson = scoresLesson();
        lesson.steps[0].text = "See {{scroes[2,0]}}.";
        run.start(lesson);
        QTRY_VERIFY(!run.problem().isEmpty());
        QVERIFY2(run.problem().contains("scores"), qPrintable(run.problem()));
        QVERIFY(run.isSettled());
        Lesson empty = lesson;
        empty.steps.clear();
        run.start(empty);
        QCOMPARE(run.lesson().steps.size(), std::size_t{3}); // the one before stays
    }

    void progressIsKeptAndContinued()
    {
        SessionFixture f;
        LessonRun& run = lessonsOf(f.session);
        run.setLibrary(sampleLibrary());
        run.start("scores");
        run.goTo(1);
        run.leave();
        const LessonProgress kept = LessonProgress::fromJson(run.progress().json());
        QCOMPARE(kept, run.progress());
        QCOMPARE(kept.seen("scores", 3), 2);
        QCOMPARE(kept.lastLesson(), std::string("scores"));
        SessionFixture again;
        lessonsOf(again.session).setLibrary(sampleLibrary());
        lessonsOf(again.session).setProgress(kept);
        lessonsOf(again.session).start("scores");
        QCOMPARE(lessonsOf(again.session).step(), 1);
    }

    void progressThatCannotBeReadIsLeftOut()
    {
        const LessonProgress odd = LessonProgress::fromJson(
            R"({"lessons":{"a":{"seen":[0,-1,2.5e9,"x",3],"last":-7}},"last":5})");
        QCOMPARE(odd.seen("a", 10), 2);
        QCOMPARE(odd.seen("a", 1), 1);
        QCOMPARE(odd.lastStep("a"), 0);
        QCOMPARE(LessonProgress::fromJson("no json"), LessonProgress());
    }

    void termsOfOtherLessonsBecomeLinksOnce()
    {
        const auto library = sampleLibrary();
        const auto linked = withTermLinks(
            parseLessonText("The Softmax, a softmax and a **weight**; weights stay, a weight not. "
                            "A score too."),
            *library, "scores");
        std::vector<TextSpan> links;
        for (const TextSpan& span : linked.front().spans) {
            if (span.kind == TextSpan::Kind::Link)
                links.push_back(span);
        }
        QCOMPARE(links.size(), std::size_t{1}); // both words lead to one lesson
        QCOMPARE(links[0].text, std::string("Softmax"));
        QCOMPARE(links[0].target, std::string("lesson:softmax"));
        QCOMPARE(plainText(linked), plainText(parseLessonText(
                                        "The Softmax, a softmax and a **weight**; weights stay, a "
                                        "weight not. A score too.")));
    }
};

HEADSCOPE_WINDOW_TEST(TstLessonRun)
#include "tst_lesson_run.moc"
