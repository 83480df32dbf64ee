// labels: threads
#include "tests/core/runs/small_run.h"
#include "tests/support/checkpoint_series.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/user_folder.h"
#include "ui/workers/training/run_reader.h"
#include "ui/workers/training/series_meter.h"

#include <QSignalSpy>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::test::Folder;
using headscope::test::UserFolder;
using headscope::test::writeHuggingFaceCheckpoint;

namespace fs = std::filesystem;

class TstMeasuredHeads : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;
    UserFolder m_cache{"XDG_CACHE_HOME", path("cache")};

    fs::path path(const std::string& name) const { return m_folder.path(name); }

    /// Measures the series and returns what was emitted.
    std::vector<HeadScorePoint> measured()
    {
        Progress progress;
        const auto series = std::make_shared<const CheckpointSeries>(
            CheckpointSeries::open(path("pythia"), progress));
        SeriesMeter meter{BackendRegistry()};
        std::vector<HeadScorePoint> points;
        connect(&meter, &SeriesMeter::measured, &meter,
                [&](const HeadScorePoint& point) { points.push_back(point); });
        QSignalSpy finished(&meter, &SeriesMeter::finished);
        meter.measure(series, series->loadTokenizer(), "cpu");
        [&] { QTRY_COMPARE(finished.count(), 1); }();
        return points;
    }

private slots:

    void initTestCase()
    {
        writeHuggingFaceCheckpoint(path("pythia/step-10"), 1.0F);
        writeHuggingFaceCheckpoint(path("pythia/step-200"), 2.0F);
        writeHuggingFaceCheckpoint(path("pythia/step-3000"), 4.0F);
    }

    void nothingIsKnownBeforeItIsMeasured()
    {
        const UserFolder none("XDG_CACHE_HOME", path("none"));
        MeasuredHeads heads;
        QVERIFY(heads.of(path("pythia")).points().empty());
        QVERIFY(heads.of(path("nowhere")).points().empty());
    }

    void theMeterAndTheRunsHaveTheSameCurves()
    {
        MeasuredHeads heads;
        QVERIFY(heads.of(path("pythia")).points().empty());
        const std::vector<HeadScorePoint> points = measured();
        QCOMPARE(points.size(), std::size_t(3));
        QCOMPARE(heads.of(path("pythia")).points().size(), std::size_t(3)); // read again

        RunReader reader;
        QSignalSpy read(&reader, &RunReader::curvesRead);
        reader.readCurves({path("pythia")});
        QTRY_COMPARE(read.count(), 1);
        const RunSeries series = read[0][0].value<RunSeriesList>()->front();
        QCOMPARE(series.heads.steps(), (std::vector<std::int64_t>{10, 200, 3000}));
        for (std::size_t place = 0; place < points.size(); ++place)
            QCOMPARE(QString::fromStdString(toJsonLine(series.heads.points()[place])),
                     QString::fromStdString(toJsonLine(points[place])));
    }

    void aReplacedCheckpointIsNotMeasured()
    {
        measured();
        fs::remove_all(path("pythia/step-200"));
        writeHuggingFaceCheckpoint(path("pythia/step-200"), 7.0F);
        fs::last_write_time(path("pythia/step-200/model.safetensors"),
                            fs::file_time_type::clock::now() + std::chrono::hours(1));
        MeasuredHeads heads;
        QCOMPARE(heads.of(path("pythia")).steps(), (std::vector<std::int64_t>{10, 3000}));
    }
};

HEADSCOPE_TEST(TstMeasuredHeads)
#include "tst_measured_heads.moc"
