#include "core/base/error.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/lesson_library.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace headscope;

namespace {

Lesson sample()
{
    Lesson lesson{"blend", "A blend", "How values are mixed.", {{"A2", "core.x"}}, {"softmax"}, {}};
    LessonStep step;
    step.title = "First";
    step.text = "See {{output[0,1]|3}} and {{other}}.";
    step.state = {LessonState::Kind::Example, "attention", {{"causal", "on"}}, "Scores", {}};
    step.highlight = {"scores"};
    step.hide = {"causal"};
    step.numbers["other"] = {{LessonState::Kind::Lab, "kv-cache", {{"heads", "8"}}, {}, {}},
                             "bytes"};
    step.question = LessonQuestion{"Which?", {}, 0, "output[0,0]", 0.01, "Yes.", "Look again."};
    lesson.steps = {step, step};
    lesson.steps[1].state = {LessonState::Kind::Page, "overview", {}, {}, {{"format", "x"}}};
    lesson.steps[1].question = LessonQuestion{"Which?", {"a", "b"}, 1, {}, 0.005, {}, {}};
    return lesson;
}

QString sentenceOf(const std::string& json)
{
    try {
        parseLesson(json, "x.json");
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::string withStep(const std::string& step)
{
    return R"({"format":"headscope-lesson","version":1,"id":"a","title":"A","steps":[)" + step +
           "]}";
}

} // namespace

class LessonFilesTest : public QObject
{
    Q_OBJECT

private slots:

    void whatIsWrittenIsReadBack()
    {
        QCOMPARE(parseLesson(lessonJson(sample()), "x"), sample());
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.json").toStdString();
        saveLesson(sample(), path);
        QCOMPARE(loadLesson(path), sample());
    }

    void badFilesAreOneSentence_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& json, const char* says) {
            QTest::newRow(name) << QString::fromStdString(json) << says;
        };
        row("empty", "", "x.json");
        row("another format", R"({"format":"headscope-session","version":1})", "headscope-lesson");
        row("newer", R"({"format":"headscope-lesson","version":2})", "version");
        row("no steps", R"({"format":"headscope-lesson","version":1,"id":"a","title":"A"})",
            "steps");
        row("id", R"({"format":"headscope-lesson","version":1,"id":"../a","title":"A","steps":[]})",
            "id");
        row("unknown key", withStep(R"({"titel":"x"})"), "title");
        row("no title", withStep(R"({"state":{"lab":"x"}})"), "title");
        row("no state", withStep(R"({"title":"x"})"), "state");
        row("two states", withStep(R"({"title":"x","state":{"lab":"x","page":"y"}})"),
            "exactly one");
        row("set", withStep(R"({"title":"x","state":{"lab":"x","set":{"a":1}}})"), "set");
        row("session", withStep(R"({"title":"x","state":{"page":"x","session":3}})"), "session");
        row("question", withStep(R"({"title":"x","state":{"lab":"x"},"question":{"prompt":"?"}})"),
            "answer");
        row("right", withStep(R"({"title":"x","state":{"lab":"x"},
            "question":{"prompt":"?","choices":["a"],"right":1}})"),
            "right");
        row("steps", R"({"format":"headscope-lesson","version":1,"id":"a","title":"A","steps":3})",
            "steps");
    }

    void badFilesAreOneSentence()
    {
        QFETCH(QString, json);
        QFETCH(QString, says);
        const QString sentence = sentenceOf(json.toStdString());
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY(!sentence.contains('\n'));
    }

    void cutFilesNeverCrash()
    {
        const std::string whole = lessonJson(sample());
        for (std::size_t length = 0; length + 2 < whole.size(); ++length)
            QVERIFY(!sentenceOf(whole.substr(0, length)).isEmpty());
    }

    void theLibraryFollowsTheCourse()
    {
        Lesson other = sample();
        other.id = "other";
        other.terms = {"Key"};
        const LessonLibrary library({"Course", {{"One", {"other", "blend"}}}}, {sample(), other});
        QCOMPARE(library.lessons().front().id, std::string("other"));
        QCOMPARE(library.lessonOfTerm("SoftMax")->id, std::string("blend"));
        QVERIFY(library.lessonOfTerm("none") == nullptr);
        QVERIFY_THROWS_EXCEPTION(Error, library.lesson("blent"));
    }

    void aCourseWithoutItsLessonsIsRefused()
    {
        QVERIFY_THROWS_EXCEPTION(Error, LessonLibrary({"Course", {{"One", {"x"}}}}, {sample()}));
        QVERIFY_THROWS_EXCEPTION(Error, LessonLibrary({"Course", {}}, {sample(), sample()}));
    }
};

HEADSCOPE_TEST(LessonFilesTest)
#include "tst_lesson_files.moc"
