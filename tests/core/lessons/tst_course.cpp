// links: resources
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/lesson_library.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/worked/example_catalogue.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QtTest>

#include <set>

using namespace headscope;

namespace {

const QString kFolder = QString(HEADSCOPE_SOURCE_DIR) + "/resources/lessons";

std::string read(const QString& name)
{
    return readFile((kFolder + "/" + name).toStdString(), 1U << 20U);
}

std::size_t words(const std::string& text)
{
    return static_cast<std::size_t>(
        QString::fromStdString(text).split(' ', Qt::SkipEmptyParts).size());
}

/// Where the links of a text lead, whatever its numbers are.
std::vector<std::string> linksOf(const std::string& text)
{
    std::vector<std::string> targets;
    const std::string filled = fillIn(text, [](std::string_view) { return ReferencedNumber(); });
    const std::vector<TextBlock> blocks = parseLessonText(filled);
    for (const TextBlock& block : blocks)
        for (const TextSpan& span : block.spans)
            targets.push_back(span.target);
    return targets;
}

} // namespace

class TstCourse : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        std::vector<Lesson> lessons;
        for (const QString& name : QDir(kFolder).entryList({"*.json"}))
            if (name != "course.json")
                lessons.push_back(parseLesson(read(name), name.toStdString()));
        const std::size_t files = lessons.size();
        m_library = {parseCourse(read("course.json"), "course.json"), std::move(lessons)};
        QVERIFY(m_library.sample());
        QCOMPARE(m_library.lessons().size(), files - 1); // the course leaves none out
    }

    /// The example of "Your lesson": short, sound, and no part of the course.
    void theSampleIsSound()
    {
        const Lesson& sample = *m_library.sample();
        QCOMPARE(m_library.find("sample"), &sample);
        QVERIFY(sample.steps.size() >= 3 && sample.steps.size() <= 4);
        for (const Lesson& lesson : m_library.lessons())
            QVERIFY(lesson.id != sample.id);
        const auto complaints = checkLesson(sample, test::labContext());
        QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
        QVERIFY(std::ranges::any_of(sample.steps, [](const LessonStep& step) {
            return step.question && !step.question->answer.empty();
        }));
        QVERIFY(std::ranges::any_of(sample.steps, [](const LessonStep& step) {
            return step.state.session.contains("changes");
        }));
    }

    void everyLessonIsSound_data()
    {
        QTest::addColumn<QString>("id");
        for (const Lesson& lesson : m_library.lessons())
            QTest::newRow(lesson.id.c_str()) << QString::fromStdString(lesson.id);
    }

    void everyLessonIsSound()
    {
        QFETCH(QString, id);
        const Lesson& lesson = m_library.lesson(id.toStdString());
        QVERIFY(!lesson.rows.empty());
        QString all;
        for (const std::string& complaint : checkLesson(lesson, test::labContext()))
            all += QString::fromStdString(complaint) + "\n";
        QVERIFY2(all.isEmpty(), qPrintable(all));
    }

    /// The texts of such steps speak of a change: it is in the step, and of a kind that they name.
    void everyStepOnWhatIfBringsItsChange()
    {
        int found = 0;
        for (const Lesson& lesson : m_library.lessons()) {
            for (const LessonStep& step : lesson.steps) {
                if (step.state.kind != LessonState::Kind::Page || step.state.name != "what-if")
                    continue;
                ++found;
                const nlohmann::json changes =
                    step.state.session.value("changes", nlohmann::json::object());
                const bool isHead = step.text.find("head is ablated") != std::string::npos;
                QVERIFY2(changes.contains(isHead ? "heads_off" : "mask"), step.title.c_str());
            }
        }
        QCOMPARE(found, 2);
    }

    void everyStepIsAPageWithAQuestion()
    {
        for (const Lesson& lesson : m_library.lessons()) {
            for (const LessonStep& step : lesson.steps) {
                QVERIFY2(words(step.text) <= 75, (lesson.id + ": " + step.title).c_str());
                QVERIFY2(step.question, (lesson.id + ": " + step.title).c_str());
                QVERIFY(!step.question->hint.empty() && !step.question->praise.empty());
            }
        }
    }

    void rightAnswersStandInDifferentPlaces()
    {
        std::map<int, int> places;
        for (const Lesson& lesson : m_library.lessons())
            for (const LessonStep& step : lesson.steps)
                if (!step.question->choices.empty())
                    ++places[step.question->right];
        QVERIFY(places[0] > 5 && places[1] > 5 && places[2] > 5);
    }

    void linksLeadSomewhere()
    {
        for (const Lesson& lesson : m_library.lessons())
            for (const LessonStep& step : lesson.steps)
                for (const std::string& target : linksOf(step.text))
                    if (target.starts_with("lesson:"))
                        QVERIFY2(m_library.find(target.substr(7)), target.c_str());
    }

    void everyLabHasANameOfItsOwn()
    {
        std::set<std::string> names;
        for (const Lab& lab : labCatalogue())
            QVERIFY2(names.insert(lab.name).second, lab.name.c_str());
    }

    void everyLabAndExampleIsInALesson()
    {
        std::set<std::string> used;
        for (const Lesson& lesson : m_library.lessons())
            for (const LessonStep& step : lesson.steps)
                used.insert(step.state.name);
        for (const Lab& lab : labCatalogue())
            QVERIFY2(used.contains(lab.name), lab.name.c_str());
        for (const ExampleEntry& example : exampleCatalogue())
            QVERIFY2(used.contains(example.name), example.name.c_str());
    }

    void whatIsWrongWithALessonIsSaid()
    {
        Lesson lesson = m_library.lesson("worked-example");
        lesson.steps.resize(1);
        LessonStep& step = lesson.steps.front();
        step.text = "It is 0.25, {{nothing[0,0]}} and $\\frac{1$.";
        step.highlight = {"scoers"};
        step.hide = {"causall"};
        const std::vector<std::string> complaints = checkLesson(lesson, test::labContext());
        const auto says = [&](const std::string& what) {
            return std::ranges::any_of(complaints, [&](const std::string& complaint) {
                return complaint.find(what) != std::string::npos;
            });
        };
        for (const char* what : {"0.25", "no matrix", "braces", "scoers", "causall"})
            QVERIFY2(says(what), what);
    }

private:
    LessonLibrary m_library;
};

HEADSCOPE_TEST(TstCourse)
#include "tst_course.moc"
