#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <cmath>

using headscope::test::Outcome;
using headscope::test::runHeadscope;
using nlohmann::json;

namespace {

Outcome learn(const QStringList& arguments)
{
    return runHeadscope(QStringList{"learn"} + arguments);
}

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The rows of the curriculum, one word each.
QStringList curriculumRows()
{
    return read(QString(HEADSCOPE_TEST_DATA) + "/curriculum_rows.txt")
        .split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
}

/// "core.lessons.worked_examples" is tests/core/lessons/tst_worked_examples.cpp.
QString sourceOfTest(const QString& name)
{
    QStringList parts = name.split('.');
    const QString file = "tst_" + parts.takeLast() + ".cpp";
    return read(QString(HEADSCOPE_SOURCE_DIR) + "/tests/" + parts.join('/') + "/" + file);
}

/// A test function speaks of a row by its id: "void kvCacheIsWhatA9Says()", "void p1m7WithoutTheMask()".
bool hasSlotOf(const QString& source, const QString& row)
{
    const QString pattern = QString("void (?:\\w*%1|(?:\\w*\\d)?%2)(?![0-9])\\w*\\(");
    return QRegularExpression(pattern.arg(row, row.toLower())).match(source).hasMatch();
}

double evaluated(const json& step)
{
    std::vector<double> values;
    for (const json& operand : step["operands"])
        values.push_back(operand["value"].get<double>());
    const auto operation = step["operation"].get<std::string>();
    double sum = 0.0;
    if (operation == "dot") {
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            sum += values[i] * values[i + 1];
        return sum;
    }
    if (operation == "sum") {
        for (const double value : values)
            sum += value;
        return sum;
    }
    if (operation == "maximum")
        return *std::max_element(values.begin(), values.end());
    if (operation == "divide")
        return values.at(0) / values.at(1);
    if (operation == "subtract")
        return values.at(0) - values.at(1);
    if (operation == "exponential")
        return std::exp(values.at(0));
    return std::nan("");
}

} // namespace

class TstLearnCommand : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        const Outcome outcome = learn({"--json"});
        HS_DONE(outcome);
        m_course = outcome.json();
    }

    void everyRowOfTheCurriculumHasALessonAndATest_data()
    {
        QTest::addColumn<QString>("row");
        const QStringList rows = curriculumRows();
        QCOMPARE(rows.size(), 68);
        for (const QString& row : rows)
            QTest::newRow(qPrintable(row)) << row;
    }

    void everyRowOfTheCurriculumHasALessonAndATest()
    {
        QFETCH(QString, row);
        const json& rows = m_course["rows"];
        QVERIFY2(rows.contains(row.toStdString()), qPrintable("no lesson holds " + row));
        const json& held = rows[row.toStdString()];
        const auto test = QString::fromStdString(held["test"].get<std::string>());
        const QString source = sourceOfTest(test);
        QVERIFY2(!source.isEmpty(), qPrintable("there is no test " + test));
        QVERIFY2(hasSlotOf(source, row), qPrintable(test + " has no function for " + row));
    }

    void noRowIsUnknown()
    {
        const QStringList known = curriculumRows();
        for (const auto& [row, held] : m_course["rows"].items())
            QVERIFY2(known.contains(QString::fromStdString(row)), row.c_str());
    }

    void theListNamesEveryChapterAndLesson()
    {
        const Outcome outcome = learn({});
        HS_DONE(outcome);
        for (const json& chapter : m_course["chapters"])
            QVERIFY(outcome.out.contains(chapter["title"].get<std::string>().c_str()));
        for (const json& lesson : m_course["lessons"])
            QVERIFY(outcome.out.contains(lesson["id"].get<std::string>().c_str()));
    }

    void listingsAreListedAndPrinted()
    {
        QVERIFY(m_course["listings"].size() >= 15);
        for (const json& listing : m_course["listings"]) {
            const std::string name = "listing:" + listing["name"].get<std::string>();
            const Outcome outcome = learn({QString::fromStdString(name), "--json"});
            HS_DONE(outcome);
            const json shown = outcome.json();
            QVERIFY(!shown["cpp"].empty() && !shown["torch"].empty());
            QVERIFY(shown["labs"] == listing["labs"]);
        }
        const Outcome text = learn({"listing:attention"});
        HS_DONE(text);
        QVERIFY(text.out.contains("torch.softmax") && text.out.contains("Tensor scores"));
        const Outcome wrong = learn({"listing:atention"});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.err.contains("attention"), wrong.err.constData());
    }

    void everyLessonIsSound()
    {
        const Outcome outcome = learn({"--check"});
        QVERIFY2(outcome.status == 0, (outcome.out + outcome.err).constData());
    }

    void everyStepOfTheWorkedExampleIsTheArithmeticOfItsOperands()
    {
        const Outcome outcome = learn({"attention", "--json", "--set", "Q[2,0]=0.75"});
        HS_DONE(outcome);
        const json example = outcome.json();
        QVERIFY(example["steps"].size() > 40);
        for (const json& step : example["steps"]) {
            const double wanted = evaluated(step);
            QVERIFY2(std::abs(wanted - step["value"].get<double>()) <= 1e-12, step.dump().c_str());
        }
        QCOMPARE(example["matrices"][0]["values"][2][0].get<double>(), 0.75);
    }

    void theLastStepIsTheCurriculumsOutput()
    {
        const json example = learn({"attention", "--json"}).json();
        const json& output = example["matrices"].back();
        QCOMPARE(output["name"].get<std::string>(), std::string("output"));
        QVERIFY(std::abs(output["values"][2][0].get<double>() - 0.627617) < 1e-6);
    }

    void aLessonIsPrintedWithItsNumbers()
    {
        const Outcome outcome = learn({"worked-example"});
        HS_DONE(outcome);
        QVERIFY(outcome.out.contains("0.503"));
        QVERIFY(!outcome.out.contains("{{"));
        const json lesson = learn({"worked-example", "--json", "--set", "Q[2,0]=0"}).json();
        QCOMPARE(lesson["lesson"].get<std::string>(), std::string("worked-example"));
        QVERIFY(!QByteArray::fromStdString(lesson.dump()).contains("0.503"));
    }

    void aLabPrintsItsNumbers()
    {
        const json lab = learn({"kv-cache", "--json"}).json();
        QCOMPARE(lab["numbers"]["bytes"].get<double>(), 1342177280.0);
        const json one = learn({"kv-cache", "--json", "--set", "kv_heads=1"}).json();
        QCOMPARE(one["numbers"]["bytes"].get<double>(), 167772160.0);
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("reported");
        QTest::newRow("unknown") << QStringList{"attentoin"} << QByteArray("attention");
        QTest::newRow("cell") << QStringList{"attention", "--set", "Q[9,0]=1"} << QByteArray("Q");
        QTest::newRow("nan") << QStringList{"attention", "--set", "Q[0,0]=nan"}
                             << QByteArray("nan");
        QTest::newRow("inf") << QStringList{"attention", "--set", "Q[0,0]=inf"}
                             << QByteArray("inf");
        QTest::newRow("huge") << QStringList{"attention", "--set", "Q[0,0]=1e300"}
                              << QByteArray("1e300");
        QTest::newRow("word") << QStringList{"attention", "--set", "Q[0,0]=two"}
                              << QByteArray("two");
        QTest::newRow("nothing set")
            << QStringList{"attention", "--set", "Q"} << QByteArray("NAME");
        QTest::newRow("lab") << QStringList{"kv-cache", "--set", "tokens=many"}
                             << QByteArray("many");
        QTest::newRow("range") << QStringList{"kv-cache", "--set", "tokens=-1"} << QByteArray("-1");
        QTest::newRow("lesson") << QStringList{"worked-example", "--set", "Q[0,7]=1"}
                                << QByteArray("Q[0,7]");
    }

    void badInputIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, reported);
        HS_REFUSED(learn(arguments), 1, reported);
    }

    void aLessonFileOfOnesOwnIsCheckedAndPrinted()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("own.json");
        const auto write = [&](const QByteArray& text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray head = "{\"format\":\"headscope-lesson\",\"version\":1,\"id\":\"own\","
                                "\"title\":\"My own\",\"steps\":[{\"title\":\"One\","
                                "\"state\":{\"example\":\"attention\"},\"text\":\"";
        write(head + "It is {{output[2,1]|3}}.\"}]}");
        HS_DONE(learn({path, "--check"}));
        QVERIFY(learn({path}).out.contains("It is 0.372."));
        write(head + "It is {{outptu[2,1]}}.\"}]}");
        const Outcome wrong = learn({path, "--check"});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.out.contains("step 1") && wrong.out.contains("outptu"), wrong.out);
        write("{");
        HS_REFUSED(learn({path}), 1, "own.json");
    }

private:
    json m_course;
};

HEADSCOPE_TEST(TstLearnCommand)
#include "tst_learn_command.moc"
