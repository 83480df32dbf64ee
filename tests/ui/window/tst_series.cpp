// labels: threads
#include "core/io/open_model.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/checkpoint_series.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/user_folder.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/runs/run_card.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/train/train_bar.h"
#include "ui/pages/train/train_page.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/charts/lines/timeline_widget.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/window_files.h"

#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;
using headscope::test::Folder;
using headscope::test::UserFolder;
using headscope::test::writeBytes;
using headscope::test::writeHuggingFaceCheckpoint;

namespace fs = std::filesystem;

namespace {

OpenedModel openAny(const std::string& name, Progress& progress)
{
    return name == "tiny" ? OpenedModel{openTiny(name), {}} : openModelAt(name, progress);
}

/// An empty cache, for scores of series.
struct EmptyCache
{
    Folder folder;
    UserFolder cache{"XDG_CACHE_HOME", folder.path("cache")};
};

/// A window that opens real files.
struct SeriesFixture : EmptyCache, WindowFixture
{
    explicit SeriesFixture(const fs::path& opened) : WindowFixture({}, "cpu", openAny)
    {
        window->openPath(QString::fromStdString(opened.string()));
    }

    Training& training() { return session.training(); }

    TrainPage& page() { return *window->findChild<TrainPage*>(); }

    TrainBar& bar() { return childOf<TrainBar>(page()); }

    LineChart& chart(const QString& name) { return childOf<LineChart>(page(), name); }

    TimelineWidget& timeline() { return childOf<TimelineWidget>(page()); }

    bool isMeasured(std::size_t checkpoints)
    {
        return training().record().heads.points().size() == checkpoints &&
               !training().meter().isMeasuring();
    }

    /// The weights of a checkpoint are those of every page.
    bool shows(std::int64_t step)
    {
        return session.model().name == training().record().snapshotPath(step).string() &&
               !session.computation().isRunning() && session.traceA();
    }

    QAction& entry(const char* name) { return *bar().menu()->findChild<QAction*>(name); }
};

float firstWeight(const Session& session)
{
    return session.model().model->parameters().values()[0];
}

} // namespace

class TstSeries : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const std::string& name) const { return m_folder.path(name); }

private slots:

    void initTestCase()
    {
        writeHuggingFaceCheckpoint(path("pythia/step-10"), 1.0F);
        writeHuggingFaceCheckpoint(path("pythia/step-200"), 2.0F);
        writeHuggingFaceCheckpoint(path("pythia/step-3000"), 4.0F);
    }

    void checkpointsFromElsewhereAreATimeline()
    {
        SeriesFixture fixture(path("pythia"));
        Training& training = fixture.training();
        QTRY_VERIFY(fixture.isMeasured(3));
        QCOMPARE(fixture.window->page(), QString("train"));
        QVERIFY(training.isSeries());
        QTRY_VERIFY(fixture.shows(3000));
        const float newest = firstWeight(fixture.session);
        QTRY_COMPARE(fixture.timeline().content().snapshots.size(), std::size_t(3));
        QVERIFY(fixture.timeline().content().note.startsWith("3 checkpoints"));
        const LineChart& lower = fixture.chart("lowerChart");
        QTRY_VERIFY(!lower.content().curves.empty());
        QCOMPARE(lower.content().curves.front().points.size(), std::size_t(3));
        QVERIFY(fixture.chart("upperChart").isHidden());

        fixture.session.view().activateHead(1, 2);
        fixture.session.view().selectPair(2, 1);
        const Selection selection = fixture.session.selection();
        QTest::keyClick(&fixture.timeline(), Qt::Key_Home);
        QTRY_VERIFY(fixture.shows(10));
        QCOMPARE(firstWeight(fixture.session), 0.25F * newest);
        QVERIFY(fixture.session.selection() == selection); // the same tokenizer and sizes
        const TracePtr own = fixture.ownTrace("the cat sat");
        QCOMPARE(mapDifference(patternOf(*fixture.session.traceA(), {1, 2}), *own, 1, 2), 0.0);
        QTest::keyClick(&fixture.timeline(), Qt::Key_Right);
        QTRY_VERIFY(fixture.shows(200));
        QCOMPARE(firstWeight(fixture.session), 0.5F * newest);
        fixture.window->showPage("overview"); // every page has them
        QVERIFY(fixture.session.traceA() != nullptr);
    }

    void theCheckpointsPlayInOrder()
    {
        SeriesFixture fixture(path("pythia"));
        Training& training = fixture.training();
        QTRY_VERIFY(fixture.isMeasured(3) && fixture.shows(3000));
        std::vector<std::int64_t> played;
        connect(&training, &Training::changed, &fixture.page(), [&] {
            const auto step = training.shownStep();
            if (step && (played.empty() || played.back() != *step))
                played.push_back(*step);
        });
        QTest::keyClick(&fixture.timeline(), Qt::Key_Space);
        QTRY_VERIFY(!training.isPlaying() && !training.shownStep());
        QCOMPARE(played, (std::vector<std::int64_t>{10, 200, 3000}));
        QTRY_VERIFY(fixture.shows(3000));
    }

    void aCheckpointIsComparedAsB()
    {
        SeriesFixture fixture(path("pythia"));
        Training& training = fixture.training();
        QTRY_VERIFY(fixture.isMeasured(3) && fixture.shows(3000));
        training.compareWith(10);
        QTRY_VERIFY(fixture.session.traceB());
        const Model& b = *fixture.session.models().second().model;
        QCOMPARE(b.parameters().values()[0], 0.25F * firstWeight(fixture.session));
        fixture.session.document().undoStack().undo();
        QVERIFY(fixture.session.changes().model.isEmpty());
    }

    void aSessionRestoresItsCheckpoint()
    {
        const QString file = QString::fromStdString(path("a.hscope").string());
        {
            SeriesFixture fixture(path("pythia"));
            QTRY_VERIFY(fixture.isMeasured(3));
            fixture.training().showSnapshot(200);
            QTRY_VERIFY(fixture.shows(200));
            fixture.session.document().replaceText("the mat");
            fixture.window->files().saveSessionTo(file);
        }
        SeriesFixture restored{fs::path(file.toStdString())};
        QTRY_COMPARE(restored.session.model().name, path("pythia/step-200").string());
        QTRY_COMPARE(restored.session.text(), QString("the mat"));
        QTRY_VERIFY(restored.session.traceA() && restored.isPainted());
        const TracePtr own = restored.ownTrace("the mat");
        QCOMPARE(mapDifference(patternOf(*restored.session.traceA(), {0, 1}), *own, 0, 1), 0.0);
        Training& training = restored.training(); // with its timeline
        QVERIFY(training.isSeries() && training.isFollowed());
        QCOMPARE(training.shownStep(), std::optional<std::int64_t>(200));
        QTRY_VERIFY(restored.isMeasured(3));
        QCOMPARE(restored.timeline().content().snapshots.size(), std::size_t(3));
        QCOMPARE(restored.window->page(), QString("train"));
        training.showSnapshot(10);
        QTRY_VERIFY(restored.shows(10));
        QCOMPARE(restored.session.text(), QString("the mat"));
    }

    void aSessionFollowsItsMovedSeries()
    {
        const fs::path folder = path("moved");
        fs::create_directories(folder);
        {
            SeriesFixture fixture(path("pythia"));
            QTRY_VERIFY(fixture.isMeasured(3));
            fixture.training().showSnapshot(10);
            QTRY_VERIFY(fixture.shows(10));
            fixture.window->files().saveSessionTo(
                QString::fromStdString(path("b.hscope").string()));
        }
        fs::rename(path("b.hscope"), folder / "b.hscope");
        fs::copy(path("pythia"), folder / "pythia", fs::copy_options::recursive);
        fs::rename(path("pythia"), path("elsewhere"));
        const auto back =
            qScopeGuard([&] { fs::rename(path("elsewhere"), path("pythia")); }); // for other tests
        SeriesFixture restored{folder / "b.hscope"};
        QTRY_COMPARE(restored.session.model().name, (folder / "pythia/step-10").string());
        QVERIFY(restored.training().isSeries());
    }

    /// The checkpoint alone, where there is no series any more.
    void aSessionWithoutItsSeriesShowsTheCheckpoint()
    {
        writeHuggingFaceCheckpoint(path("short/step-1"), 1.0F);
        writeHuggingFaceCheckpoint(path("short/step-2"), 2.0F);
        const QString file = QString::fromStdString(path("c.hscope").string());
        {
            SeriesFixture fixture(path("short"));
            QTRY_VERIFY(fixture.isMeasured(2) && fixture.shows(2));
            fixture.session.document().replaceText("the mat");
            fixture.window->files().saveSessionTo(file);
        }
        fs::remove_all(path("short/step-1"));
        SeriesFixture restored{fs::path(file.toStdString())};
        QTRY_COMPARE(restored.session.model().name, path("short/step-2").string());
        QTRY_COMPARE(restored.session.text(), QString("the mat"));
        QVERIFY(!restored.training().hasRun());
    }

    void nothingOfItIsTrained()
    {
        SeriesFixture fixture(path("pythia"));
        Training& training = fixture.training();
        QTRY_VERIFY(fixture.isMeasured(3));
        training.showSnapshot(200);
        QTRY_VERIFY(fixture.shows(200));
        auto& start = childOf<QPushButton>(fixture.bar(), "startTraining");
        auto& step = childOf<QPushButton>(fixture.bar(), "stepTraining");
        QTRY_VERIFY(!start.isEnabled() && !step.isEnabled());
        for (const QPushButton* button : {&start, &step})
            QVERIFY2(button->toolTip().contains("another program"), qPrintable(button->toolTip()));
        for (const char* name : {"again", "seed", "save", "longer", "fork", "pin"}) {
            QVERIFY2(!fixture.entry(name).isEnabled(), name);
            QVERIFY2(fixture.entry(name).toolTip().contains("another program"), name);
        }
        for (const char* name : {"new", "compare", "measure", "film"})
            QVERIFY2(fixture.entry(name).isEnabled(), name);
        QSignalSpy refused(&training, &Training::messageWanted);
        QTest::keyClick(&fixture.timeline(), Qt::Key_P);
        training.startOrPause();
        training.step();
        training.fork(200);
        training.reset(1);
        QCOMPARE(refused.size(), 5);
        QCOMPARE(training.state(), TrainingPhase::Stopped);
        QVERIFY(!fs::exists(path("pythia/timeline.json")));
        fixture.page().planRun("repeat"); // a run of one's own begins as ever
        QTRY_VERIFY(fixture.page().isPlanning());
    }

    void aListAndWhatIsLeftOutOpenWithAWord()
    {
        writeHuggingFaceCheckpoint(path("broken/step-20"), 1.0F);
        fs::resize_file(path("broken/step-20/model.safetensors"), 1000);
        writeBytes(path("list.txt"), "pythia/step-10\npythia/step-200\nbroken/step-20\n");
        SeriesFixture fixture(path("list.txt"));
        QSignalSpy said(&fixture.training(), &Training::messageWanted);
        QTRY_VERIFY(fixture.isMeasured(2));
        QCOMPARE(said.size(), 1);
        QVERIFY2(said[0][0].toString().startsWith("Step 20 is left out: "),
                 qPrintable(said[0][0].toString()));
        QCOMPARE(fixture.training().record().snapshots.size(), std::size_t(2));
    }

    void measuringIsCancelledAndResumed()
    {
        SeriesFixture fixture(path("pythia"));
        Training& training = fixture.training();
        const auto cancelled =
            connect(&training.meter(), &SeriesMeter::measured, &training, [&training] {
                if (training.meter().done() == 2)
                    training.cancelMeasuring();
            });
        QTRY_COMPARE(training.record().heads.points().size(), std::size_t(2)); // as they come
        QVERIFY(!training.meter().isMeasuring());
        QTRY_VERIFY(fixture.entry("measure").isEnabled());
        QCOMPARE(training.record().heads.points().size(), std::size_t(2));
        disconnect(cancelled);
        fixture.entry("measure").trigger();
        QTRY_VERIFY(fixture.isMeasured(3));
    }

    void theRunsPageListsIt()
    {
        SeriesFixture fixture(path("pythia"));
        QTRY_VERIFY(fixture.isMeasured(3));
        fixture.window->showPage("runs");
        auto& runs = partOf<RunsPage>(*fixture.window);
        runs.showRun(QString::fromStdString(path("pythia").string()));
        auto* card = runs.findChild<ui::RunCard*>();
        const auto button = [card](const QString& text) -> QPushButton* {
            for (QPushButton* one : card->findChildren<QPushButton*>())
                if (one->text() == text)
                    return one;
            return nullptr;
        };
        QTRY_COMPARE(childOf<ui::ChoiceBox>(*card).count(), 3);
        QVERIFY(button("Open &model")->isEnabled());
        for (const char* text : {"&Resume", "&Fork", "&Delete"}) {
            QVERIFY2(!button(text)->isEnabled(), text);
            QVERIFY2(button(text)->toolTip().contains("another program"), text);
        }
        emit card->modelWanted(10);
        QTRY_COMPARE(fixture.session.model().name, path("pythia/step-10").string());
    }
};

HEADSCOPE_WINDOW_TEST(TstSeries)
#include "tst_series.moc"
