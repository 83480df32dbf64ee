#include "core/io/safetensors/safetensors_writer.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

/// A training run whose data another program truncates.
class TstCutData : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const char* name) const { return m_folder.path(name); }

private slots:

    void aRunWhoseDataAreCutStopsWithItsLastGoodState()
    {
        const std::vector<std::int64_t> shape{1200, 4, 32};
        const std::vector<std::int64_t> ids(std::size_t{1200} * 4 * 32, 3);
        const fs::path data = path("batches.safetensors");
        SafetensorsWriter writer;
        writer.add("inputs", ids, shape);
        writer.add("targets", ids, shape);
        writer.write(data);
        TrainingConfig config = smallTrainingConfig();
        config.model.vocabularySize = 8;
        config.data = {};
        config.data.batches = data.string();
        config.steps = 1200;
        LiveRun run = LiveRun::create(config, optionsFor(path("poisoned")));
        train(run, 33);
        fs::resize_file(data, std::size_t{1} << 20);
        const std::string problem = problemOf([&] { train(run, 1200); });
        QVERIFY2(problem.find("batches.safetensors") != std::string::npos, problem.c_str());
        QCOMPARE(run.stepsDone(), std::int64_t{33});
        QCOMPARE(Timeline(path("poisoned")).snapshots().back().step, std::int64_t{33});
        QCOMPARE(readJsonLines(path("poisoned") / "log.jsonl").size(), std::size_t{33});
    }
};

HEADSCOPE_TEST(TstCutData)
#include "tst_cut_data.moc"
