#include "tests/support/catalogue_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <nlohmann/json.hpp>
#include <set>

using namespace headscope;
using namespace headscope::test;

class TstTaskCatalogue : public QObject
{
    Q_OBJECT

private slots:

    void everyTaskSaysWhatItIs()
    {
        std::set<std::string> names;
        for (const CatalogueTask& task : taskCatalogue()) {
            QVERIFY2(names.insert(task.name).second, task.name.c_str());
            for (const std::string* text :
                 {&task.title, &task.description, &task.lookFor, &task.accuracy, &task.curve})
                QVERIFY2(!text->empty(), task.name.c_str());
            QCOMPARE(task.probe.empty(), task.needsText);
            QCOMPARE(task.probeTarget.empty(), !task.config.model.isEncoderDecoder());
            if (!task.needsText)
                QCOMPARE(taskOf(task.config), &task);
        }
        for (const char* promised :
             {"stories", "repeat", "repeat-one-layer", "copy", "reverse", "sort", "addition",
              "brackets", "masked", "agreement", "text", "phrases"})
            QVERIFY2(names.contains(promised), promised);
        QCOMPARE(names.size(), std::size_t{12});
        TrainingConfig own = catalogueTask("text").config;
        QCOMPARE(taskOf(own), nullptr);
        own.data.text = "book.txt";
        QCOMPARE(taskOf(own)->name, std::string("text"));
    }

    void theControlDiffersInItsLayersAlone()
    {
        TrainingConfig control = catalogueTask("repeat-one-layer").config;
        QCOMPARE(control.model.layers, std::int64_t{1});
        control.model.layers = 2;
        control.checkpointEvery = catalogueTask("repeat").config.checkpointEvery;
        QVERIFY(toJson(control) == toJson(catalogueTask("repeat").config));
    }
};

HEADSCOPE_TEST(TstTaskCatalogue)
#include "tst_task_catalogue.moc"
