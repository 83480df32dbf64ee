#include "core/runs/run_library.h"
#include "core/runs/series/checkpoint_series.h"
#include "core/runs/series/checkpoint_step.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/checkpoint_series.h"
#include "tests/support/gguf_models.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <ranges>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> stepsOf(const CheckpointSeries& series)
{
    std::vector<std::int64_t> steps;
    for (const SeriesCheckpoint& checkpoint : series.checkpoints())
        steps.push_back(checkpoint.step);
    return steps;
}

CheckpointSeries opened(const fs::path& path)
{
    Progress progress;
    return CheckpointSeries::open(path, progress);
}

float firstWeight(const Model& model)
{
    return model.parameters().values()[0];
}

} // namespace

class TstCheckpointSeries : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const std::string& name) const { return m_folder.path("all/" + name); }

private slots:

    void init()
    {
        fs::remove_all(m_folder.path("all"));
        fs::create_directories(m_folder.path("all"));
    }

    void namesContainTheirStep_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("step");
        const std::pair<const char*, qint64> kNames[] = {{"step-1000", 1000},
                                                         {"step1000", 1000},
                                                         {"step_1000", 1000},
                                                         {"Step-7", 7},
                                                         {"step0", 0},
                                                         {"checkpoint-500", 500},
                                                         {"ckpt=3", 3},
                                                         {"global_step143000", 143000},
                                                         {"iter_0001000", 1000},
                                                         {"iteration-20", 20},
                                                         {"step1000-tokens4B", 1000},
                                                         {"stage1-step10-tokens1B", 10},
                                                         {"checkpoint-3-step-1000", 1000},
                                                         {"pythia.step_2000.gguf", 2000},
                                                         {"epoch=1-step=40.safetensors", 40},
                                                         {"step", -1},
                                                         {"step-", -1},
                                                         {"step-x1", -1},
                                                         {"footstep100", -1},
                                                         {"step1000k", -1},
                                                         {"step--5", -1},
                                                         {"step-99999999999999999999", -1},
                                                         {"optimizer-1000.safetensors", -1},
                                                         {"checkpoints", -1},
                                                         {"", -1}};
        for (const auto& [name, step] : kNames)
            QTest::newRow(*name ? name : "nothing") << QString(name) << step;
    }

    void namesContainTheirStep()
    {
        QFETCH(QString, name);
        QFETCH(qint64, step);
        QCOMPARE(qint64(stepInName(name.toStdString()).value_or(-1)), step);
    }

    void foldersOpenInTheOrderOfTheirSteps()
    {
        writeHuggingFaceCheckpoint(path("step-1000"), 1.0F);
        writeHuggingFaceCheckpoint(path("step-200"), 0.5F);
        writeHuggingFaceCheckpoint(path("step30"), 0.25F);
        writeBytes(path("readme.md"), "not a checkpoint");
        writeBytes(path("step-9.txt"), "not weights");
        QVERIFY(isSeries(m_folder.path("all")));
        const CheckpointSeries series = opened(m_folder.path("all"));
        QCOMPARE(stepsOf(series), (std::vector<std::int64_t>{30, 200, 1000}));
        QVERIFY(series.skipped().empty());
        QCOMPARE(series.config().layers, std::int64_t(2));
        QCOMPARE(series.bytes(), 3 * fs::file_size(path("step30") / "model.safetensors"));
        Progress progress;
        const float last = firstWeight(*series.load(1000, progress));
        QVERIFY(last != 0.0F);
        QCOMPARE(firstWeight(*series.load(200, progress)), 0.5F * last);
        QCOMPARE(firstWeight(*series.load(30, progress)), 0.25F * last);
        QVERIFY(series.at(31) == nullptr);
        QVERIFY(problemOf([&] { series.load(31, progress); }).find("no checkpoint of step 31") !=
                std::string::npos);
    }

    void aStoppedLoadIsCancelled()
    {
        writeHuggingFaceCheckpoint(path("step-1"), 1.0F);
        writeHuggingFaceCheckpoint(path("step-2"), 2.0F);
        std::stop_source stop;
        Progress progress(stop.get_token());
        const CheckpointSeries series = CheckpointSeries::open(m_folder.path("all"), progress);
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(series.load(1, progress), Cancelled);
        QVERIFY_EXCEPTION_THROWN(CheckpointSeries::open(m_folder.path("all"), progress), Cancelled);
    }

    void aListNamesCheckpointsByPath()
    {
        writeHuggingFaceCheckpoint(path("one/step-40"), 1.0F);
        writeHuggingFaceCheckpoint(path("two"), 2.0F);
        writeHuggingFaceCheckpoint(path("step8/weights"), 3.0F);
        const std::string absolute = path("step8").string();
        writeBytes(path("list.txt"), "# of two machines\r\n\n  one/step-40\t# the last\n./two/\n" +
                                         absolute + "/weights/model.safetensors\n");
        QVERIFY(isSeries(path("list.txt")));
        const CheckpointSeries series = opened(path("list.txt"));
        QCOMPARE(stepsOf(series), (std::vector<std::int64_t>{4, 8, 40})); // "two" is line 4
        Progress progress;
        QCOMPARE(firstWeight(*series.load(4, progress)),
                 2.0F * firstWeight(*series.load(40, progress)));
    }

    void otherTextsAreNoLists()
    {
        writeBytes(path("story.txt"), "The cat sat on the mat.\n.\n/\n/etc\n");
        QVERIFY(!isSeries(path("story.txt")));
        writeBytes(path("zeros.txt"), std::string(100, '\0'));
        QVERIFY(!isSeries(path("zeros.txt")));
        QVERIFY(!isSeries(path("nowhere")));
        QVERIFY(!isSeries(m_folder.path("all")));
    }

    void ownCheckpointsAndGgufFilesAreSeriesToo()
    {
        fs::create_directories(path("ours"));
        fs::create_directories(path("saved"));
        for (const int step : {5, 10}) {
            const fs::path saved = saveTinyModel(path("saved"), std::uint64_t(step));
            fs::rename(saved, path("ours") / ("step-" + std::to_string(step) + ".safetensors"));
        }
        writeBytes(path("ours") / "tokenizer.json", tinyTokenizerJson());
        const CheckpointSeries ours = opened(path("ours"));
        QCOMPARE(stepsOf(ours), (std::vector<std::int64_t>{5, 10}));
        QVERIFY(ours.loadTokenizer()->kind() != "ids");
        Progress progress;
        const LoadedModel tiny = tinyModel(5);
        QVERIFY(std::ranges::equal(ours.load(5, progress)->parameters().values(),
                                   tiny.model->parameters().values()));
        writeBytes(path("gguf") / "model-step-1.gguf", smallGguf(false));
        writeBytes(path("gguf") / "model-step-2.gguf", smallGguf());
        writeBytes(path("gguf") / "step-3" / "weights.gguf", smallGguf());
        const CheckpointSeries gguf = opened(path("gguf"));
        QCOMPARE(stepsOf(gguf), (std::vector<std::int64_t>{1, 2, 3}));
        QCOMPARE(gguf.load(3, progress)->config(), gguf.config());
    }

    void revisionsInTheCacheOfHuggingFaceAreASeries()
    {
        const fs::path model = path("models--org--pythia");
        const std::string one(40, 'a');
        const std::string two(40, 'b');
        writeHuggingFaceCheckpoint(model / "snapshots" / one, 1.0F);
        writeHuggingFaceCheckpoint(model / "snapshots" / two, 2.0F);
        writeBytes(model / "refs" / "step1000", one);
        writeBytes(model / "refs" / "step512", two + "\n");
        writeBytes(model / "refs" / "main", one);
        QVERIFY(isSeries(model));
        const CheckpointSeries series = opened(model);
        QCOMPARE(stepsOf(series), (std::vector<std::int64_t>{512, 1000}));
        QCOMPARE(series.checkpoints()[0].path, model / "snapshots" / two);
        writeBytes(model / "refs" / "step7", "../../../etc");
        QVERIFY(problemOf([&] { opened(model); }).find("name of a snapshot") != std::string::npos);
    }

    void whatIsNoSeriesIsRefusedInASentence_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("alone") << "alone"
                               << "at least two checkpoints";
        QTest::newRow("twice") << "twice"
                               << "two checkpoints are of step 10";
        QTest::newRow("mixed") << "mixed"
                               << "steps 1 and 2 are of different models";
        QTest::newRow("damaged") << "damaged"
                                 << "1 of 2 checkpoints can be opened";
        QTest::newRow("empty list") << "empty list"
                                    << "at least two checkpoints";
    }

    void whatIsNoSeriesIsRefusedInASentence()
    {
        QFETCH(QString, kind);
        QFETCH(QString, sentence);
        fs::path series = m_folder.path("all");
        writeHuggingFaceCheckpoint(path("step-1"), 1.0F);
        if (kind == "twice") {
            writeHuggingFaceCheckpoint(path("step-10"), 1.0F);
            writeHuggingFaceCheckpoint(path("checkpoint-10"), 1.0F);
        } else if (kind == "mixed") {
            writeHuggingFaceCheckpoint(path("step-2"), 1.0F, true, "gpt2");
        } else if (kind == "damaged") {
            writeHuggingFaceCheckpoint(path("step-2"), 1.0F);
            fs::resize_file(path("step-2") / "model.safetensors", 1000);
        } else if (kind == "empty list") {
            series = path("list.txt");
            writeBytes(series, "# nothing\n");
        }
        const std::string problem = problemOf([&] { opened(series); });
        QVERIFY2(QString::fromStdString(problem).contains(sentence), problem.c_str());
    }

    void damagedCheckpointsAreSkippedAndNamed()
    {
        for (const int step : {1, 2, 3, 4})
            writeHuggingFaceCheckpoint(path("step-" + std::to_string(step)), 1.0F, step == 2);
        fs::resize_file(path("step-3") / "model.safetensors", 1000);
        fs::remove(path("step-4") / "model.safetensors");
        const CheckpointSeries series = opened(m_folder.path("all"));
        QCOMPARE(stepsOf(series), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(series.skipped().size(), std::size_t(2));
        QCOMPARE(series.skipped()[0].step, std::int64_t(3));
        QVERIFY(!series.skipped()[0].error.problem().empty());
        QCOMPARE(series.skipped()[1].error.problem(), std::string("this is not a model"));
    }

    void oneTokenizerServesAll()
    {
        for (const int step : {1, 2, 3})
            writeHuggingFaceCheckpoint(path("step-" + std::to_string(step)), 1.0F, step == 2);
        const auto kind = [this] {
            return std::string(opened(m_folder.path("all")).loadTokenizer()->kind());
        };
        QVERIFY(kind() != "ids");
        QVERIFY(tokenizerOfNeighbours(path("step-1")) != nullptr);
        fs::remove(path("step-2") / "tokenizer.json");
        QCOMPARE(kind(), std::string("ids"));
        QVERIFY(tokenizerOfNeighbours(path("step-1")) == nullptr);
        writeBytes(path("tokenizer.json"), tinyTokenizerJson());
        QVERIFY(kind() != "ids");
        QVERIFY(tokenizerOfNeighbours(path("step-1")) != nullptr);
        QVERIFY(tokenizerOfNeighbours(m_folder.path("all")) == nullptr);
    }

    void aHundredThousandEntriesEndSoon()
    {
        for (int entry = 0; entry < 100'000; ++entry)
            std::ofstream(path("notes-" + std::to_string(entry)));
        QVERIFY(!isSeries(m_folder.path("all")));
        for (int entry = 0; entry < 5'000; ++entry)
            std::ofstream(path("step-" + std::to_string(entry) + ".gguf"));
        QVERIFY(isSeries(m_folder.path("all")));
        const std::string problem = problemOf([this] { opened(m_folder.path("all")); });
        QVERIFY2(problem.find("more than 4096 checkpoints") != std::string::npos, problem.c_str());
    }

    void linksInACircleEnd()
    {
        fs::create_symlink("step-2", path("step-1"));
        fs::create_symlink("step-1", path("step-2"));
        fs::create_directory_symlink(".", path("step-3"));
        fs::create_directory_symlink("..", path("step-4"));
        const std::string problem = problemOf([this] { opened(m_folder.path("all")); });
        QVERIFY2(problem.find("0 of 2 checkpoints can be opened") != std::string::npos,
                 problem.c_str());
    }

    void aListOfTenMegabytesIsRefused()
    {
        writeHuggingFaceCheckpoint(path("step-1"), 1.0F);
        std::string list = "step-1\n";
        while (list.size() < 10'000'000)
            list += "somewhere/else\n";
        writeBytes(path("list.txt"), list);
        QVERIFY(isSeries(path("list.txt")));
        const std::string large = problemOf([this] { opened(path("list.txt")); });
        QVERIFY2(large.find("at most 1048576 were expected") != std::string::npos, large.c_str());
        writeBytes(path("list.txt"), "step-1\n" + std::string(500'000, 'x') + "\n");
        const std::string problem = problemOf([this] { opened(path("list.txt")); });
        QVERIFY2(problem.find("line 2 is not a path") != std::string::npos, problem.c_str());
    }

    void theRunLibraryListsASeriesAndLeavesItAlone()
    {
        writeHuggingFaceCheckpoint(path("pythia/step-1"), 1.0F);
        writeHuggingFaceCheckpoint(path("pythia/step-20"), 2.0F);
        const RunLibrary library(m_folder.path("all"));
        const auto runs = library.runs();
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].name, std::string("pythia"));
        QCOMPARE(nameOf(runs[0].state), std::string("series"));
        QCOMPARE(runs[0].step, std::int64_t(20));
        QCOMPARE(RunLibrary(path("pythia")).runs().size(), std::size_t(1));
        QVERIFY(problemOf([&] { library.remove(path("pythia")); }).find("not Headscope's") !=
                std::string::npos);
        QVERIFY(fs::exists(path("pythia/step-1/config.json")));
    }
};

HEADSCOPE_TEST(TstCheckpointSeries)
#include "tst_checkpoint_series.moc"
