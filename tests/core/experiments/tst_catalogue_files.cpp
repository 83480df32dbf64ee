#include "core/base/error.h"
#include "core/experiments/builtin_texts.h"
#include "core/experiments/experiment_file.h"
#include "core/experiments/task_file.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

using namespace headscope;

namespace {

/// Names of the JSON files of a folder of resources.
std::set<std::string> filesOf(const char* folder)
{
    std::set<std::string> names;
    const auto path = std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources" / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".json")
            names.insert(entry.path().stem().string());
    return names;
}

template<class Entries>
std::set<std::string> namesOf(const Entries& entries)
{
    std::set<std::string> names;
    for (const auto& entry : entries)
        names.emplace(entry.name);
    return names;
}

/// The text with the value at a place changed, or taken away where `value` is empty.
std::string withChange(std::string_view text, const QString& place, const QString& value)
{
    nlohmann::json object = nlohmann::json::parse(text);
    const nlohmann::json::json_pointer pointer(place.toStdString());
    if (value.isEmpty())
        object[pointer.parent_pointer()].erase(pointer.back());
    else
        object[pointer] = nlohmann::json::parse(value.toStdString());
    return object.dump();
}

/// What is said when that is read; "" when nothing is wrong.
QString complaintOf(const std::function<void()>& read)
{
    try {
        read();
    } catch (const FormatError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

class TstCatalogueFiles : public QObject
{
    Q_OBJECT

private slots:

    void everyFileIsInItsCatalogue()
    {
        QVERIFY(namesOf(taskCatalogue()) == filesOf("tasks"));
        QVERIFY(namesOf(experimentCatalogue()) == filesOf("experiments"));
        QVERIFY(namesOf(builtinConfigs()) == filesOf("training"));
        QVERIFY(namesOf(builtinBases()) == filesOf("experiments/bases"));
        QVERIFY(std::ranges::is_sorted(taskCatalogue(), {}, &CatalogueTask::order));
        QVERIFY(std::ranges::is_sorted(experimentCatalogue(), {}, &Experiment::order));
        QCOMPARE(taskCatalogue().front().name, std::string("stories"));
        QCOMPARE(taskCatalogue().back().name, std::string("text"));
        QCOMPARE(experimentCatalogue().front().name, std::string("mask-missing"));
        QCOMPARE(experimentCatalogue().back().name, std::string("scaling-law"));
        for (const CatalogueTask& task : taskCatalogue())
            QVERIFY(task.controlOf.empty() || namesOf(taskCatalogue()).contains(task.controlOf));
    }

    void whatAVariantChangesIsMergedIn()
    {
        const Experiment& experiment = catalogueExperiment("score-scale");
        QCOMPARE(experiment.measures.size(), std::size_t{3});
        QVERIFY(experiment.measures.back() == Measure::Overflow);
        QVERIFY(experiment.plots.size() == 1 && experiment.plots[0].logY);
        const TrainingConfig& unscaled = experiment.variants[0].config;
        QCOMPARE(unscaled.steps, std::int64_t{300});    // of the experiment
        QCOMPARE(unscaled.batchSize, std::int64_t{16}); // of the base
        QCOMPARE(unscaled.model.headDim(), std::int64_t{512});
        QVERIFY(!unscaled.model.scaleScores && experiment.variants[1].config.model.scaleScores);
    }

    void aMistakeInATaskIsSaidWithItsFileAndKey_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value"); // "": taken away
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown key") << "/lookfor"
                                     << "\"x\""
                                     << "unknown key \"lookfor\"";
        QTest::newRow("no title") << "/title"
                                  << ""
                                  << "\"title\" of the task is missing";
        QTest::newRow("another name") << "/name"
                                      << "\"revers\""
                                      << "the name of the file";
        QTest::newRow("order") << "/order"
                               << "\"first\""
                               << "\"order\" of the task is \"first\"";
        QTest::newRow("needs_text") << "/needs_text"
                                    << "\"no\""
                                    << "\"needs_text\" of the task";
    }

    void aMistakeInATaskIsSaidWithItsFileAndKey()
    {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, words);
        const std::string text = withChange(builtinText(builtinTasks(), "reverse"), place, value);
        const QString complaint = complaintOf([&] { parseTask("reverse", text); });
        QVERIFY2(complaint.contains("resources/tasks/reverse.json"), qPrintable(complaint));
        QVERIFY2(complaint.contains(words), qPrintable(complaint));
    }

    void aMistakeInAnExperimentIsSaidWithItsFileAndKey_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value"); // "": taken away
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown key") << "/rows"
                                     << "\"x\""
                                     << "unknown key \"rows\"";
        QTest::newRow("no text") << "/measured"
                                 << "[]"
                                 << "\"measured\" of the experiment is []";
        QTest::newRow("measure") << "/measures/0"
                                 << "\"gradient\""
                                 << "\"measures\"";
        QTest::newRow("plot's key") << "/plots/0/logx"
                                    << "true"
                                    << "unknown key \"logx\"";
        QTest::newRow("plot") << "/plots/0/x"
                              << ""
                              << "\"x\" of plot 1 is missing";
        QTest::newRow("base") << "/base"
                              << "\"tales\""
                              << "\"base\" of the experiment";
        QTest::newRow("changes") << "/changes"
                                 << "3"
                                 << "\"changes\" of the experiment is 3";
        QTest::newRow("no variants") << "/variants"
                                     << ""
                                     << "\"variants\" of the experiment";
        QTest::newRow("variant twice") << "/variants/0/name"
                                       << "\"scaled\""
                                       << "a different name";
        QTest::newRow("no label") << "/variants/1/label"
                                  << ""
                                  << "\"label\" of variant 2 is missing";
        QTest::newRow("setting") << "/variants/0/changes/model/scales"
                                 << "1"
                                 << "\"unscaled\"";
        QTest::newRow("value") << "/changes/steps"
                               << "\"many\""
                               << "\"steps\"";
    }

    void aMistakeInAnExperimentIsSaidWithItsFileAndKey()
    {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, words);
        const std::string text =
            withChange(builtinText(builtinExperiments(), "score-scale"), place, value);
        const QString complaint = complaintOf([&] { parseExperiment("score-scale", text); });
        QVERIFY2(complaint.contains("resources/experiments/score-scale.json"),
                 qPrintable(complaint));
        QVERIFY2(complaint.contains(words), qPrintable(complaint));
    }

    void twoEntriesHaveTwoPlaces()
    {
        std::vector<CatalogueTask> tasks(2);
        tasks[0].name = "one";
        tasks[1].name = "two";
        const auto sort = [&] { sortCatalogue(tasks, &CatalogueTask::order, "resources/tasks"); };
        QVERIFY(complaintOf(sort).contains(
            "\"order\" is already used by \"one\" (resources/tasks/two."));
        tasks[0].order = 2;
        QCOMPARE(complaintOf(sort), QString());
        QCOMPARE(tasks.front().name, std::string("two"));
    }

    void aTextThatIsNotThereGetsTheNearestName()
    {
        try {
            builtinText(builtinConfigs(), "reverce");
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("reverse"));
        }
    }
};

HEADSCOPE_TEST(TstCatalogueFiles)
#include "tst_catalogue_files.moc"
