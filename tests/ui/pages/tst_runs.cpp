// links: core/runs
// labels: threads
#include "tests/core/runs/small_run.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/runs/run_card.h"
#include "ui/pages/runs/runs_filter.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_table.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/session/runs/run_shelf.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/tables/fact_table.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope;
using namespace headscope::test;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

void trainTo(const std::filesystem::path& path, std::int64_t steps, std::uint64_t seed = 3,
             std::int64_t accumulate = 1)
{
    TrainingConfig config = smallTrainingConfig();
    config.seed = seed;
    config.accumulate = accumulate;
    LiveRun run = LiveRun::create(config, optionsFor(path));
    train(run, steps);
    run.save();
}

/// A page over a folder of real runs.
struct RunsFixture
{
    RunsFixture() : view(session())
    {
        shelf().setFolders({folderName()});
        view.resize(1200, 720);
    }

    Session& session() { return fixture.session; }

    RunShelf& shelf() const { return childOf<RunShelf>(view); }

    FactTable& table() const { return childOf<FactTable>(view, "runTable"); }

    FactTable& differences() const { return childOf<FactTable>(childOf<ui::RunCard>(view)); }

    QPlainTextEdit& notes() const { return childOf<QPlainTextEdit>(view); }

    const LineChartContent& curves() const { return childOf<LineChart>(view).content(); }

    QString folderName() const
    {
        return QString::fromStdString(folder.path("x").parent_path().string());
    }

    QString path(const std::string& name) const
    {
        return QString::fromStdString(folder.path(name).string());
    }

    void show()
    {
        view.show();
        QTRY_VERIFY(view.isSettled());
    }

    void choose(const QStringList& paths)
    {
        table().setChosen(paths);
        emit table().choiceChanged();
        QTRY_VERIFY(view.isSettled() &&
                    shelf().series().size() == static_cast<std::size_t>(paths.size()));
        QTRY_COMPARE(curves().curves.size(), static_cast<std::size_t>(paths.size()));
    }

    QStringList names() const
    {
        QStringList all;
        for (const FactRow& row : table().rows())
            all << row.texts.value(RunsOptions::Name);
        return all;
    }

    QString text(const QString& name, int column)
    {
        for (const FactRow& row : table().rows())
            if (row.texts.value(0) == name)
                return row.texts.value(column);
        return {};
    }

    SessionFixture fixture;
    Folder folder;
    RunsPage view;
};

auto curveOf(const LineChartContent& content, const char* name)
{
    return std::find_if(
        content.curves.begin(), content.curves.end(),
        [name](const LineChartCurve& one) { return one.name == QLatin1String(name); });
}

} // namespace

class TstRuns : public QObject
{
    Q_OBJECT

private slots:

    void anEmptyFolderSaysWhereRunsWillBe();
    void aSeriesIsDrawnBesideARunByStepsOnly();
    void rowsTellWhatTheLogsSay();
    void columnsSortAndWordsFilter();
    void chosenRunsLieInOneChart();
    void tokensCountTheRowsOfChangedBatches();
    void twoRunsShowTheSettingsThatDiffer();
    void notesAreKept();
    void deletedRunsComeBack();
    void aRunThatIsBeingWrittenIsFollowedAndStays();
    void aDivergedRunSaysWhereItBegan();
    void exportedCurvesAreTheLog();
    void optionsComeBack();
};

/// Checkpoints of another program: their heads were measured, and nothing else is known.
void TstRuns::aSeriesIsDrawnBesideARunByStepsOnly()
{
    RunSeries run;
    run.path = "run";
    run.batchSize = 2;
    run.length = 10;
    RunSeries series;
    series.path = "pythia";
    const HeadId head{0, 1};
    run.heads.add({5, {head}, {{"induction", {0.25}}}});
    series.heads.add({100, {head}, {{"induction", {0.5}}}});
    series.heads.add({3000, {head}, {{"induction", {0.75}}}});
    RunsOptions options;
    options.curve = QStringLiteral("head induction");
    QVERIFY(curveNames({run, series}).contains(options.curve));
    const LineChartContent steps = runsChart({run, series}, options);
    QCOMPARE(curveOf(steps, "run")->points, (std::vector<QPointF>{{5.0, 0.25}}));
    QCOMPARE(curveOf(steps, "pythia")->points,
             (std::vector<QPointF>{{100.0, 0.5}, {3000.0, 0.75}}));
    options.byTokens = true;
    const LineChartContent tokens = runsChart({run, series}, options);
    QCOMPARE(curveOf(tokens, "run")->points, (std::vector<QPointF>{{100.0, 0.25}}));
    QVERIFY(curveOf(tokens, "pythia")->points.empty());
}

void TstRuns::anEmptyFolderSaysWhereRunsWillBe()
{
    RunsFixture page;
    page.show();
    QVERIFY(page.table().rows().empty());
    bool saysWhere = false;
    for (const QLabel* label : page.view.findChildren<QLabel*>())
        saysWhere = saysWhere || (label->isVisible() && label->text().contains(page.folderName()));
    QVERIFY(saysWhere);
    QVERIFY(!page.view.figure().paint);
}

void TstRuns::rowsTellWhatTheLogsSay()
{
    RunsFixture page;
    trainTo(page.folder.path("whole"), 60);
    trainTo(page.folder.path("part"), 25, 8);
    std::filesystem::create_directories(page.folder.path("broken"));
    std::ofstream(page.folder.path("broken") / "config.json") << "{";
    std::filesystem::create_directories(page.folder.path("no training run"));
    page.show();
    QCOMPARE(page.table().rows().size(), std::size_t{3});
    double last = 0.0;
    double best = 1e9;
    for (const nlohmann::json& line : logOf(page.folder.path("whole"))) {
        if (line.at("val_loss").is_number()) {
            last = line.at("val_loss").get<double>();
            best = std::min(best, last);
        }
    }
    QCOMPARE(page.text("whole", RunsOptions::Loss), number(last, 3));
    QCOMPARE(page.text("whole", RunsOptions::Best), number(best, 3));
    QCOMPARE(page.text("whole", RunsOptions::Step), QString("60 of 60"));
    QCOMPARE(page.text("whole", RunsOptions::State), QString("done"));
    QCOMPARE(page.text("whole", RunsOptions::Seed), QString("3"));
    QCOMPARE(page.text("whole", RunsOptions::Device), QString("cpu"));
    QCOMPARE(page.text("part", RunsOptions::Step), QString("25 of 60"));
    QCOMPARE(page.text("part", RunsOptions::State), QString("stopped"));
    QCOMPARE(page.text("part", RunsOptions::Seed), QString("8"));
    QCOMPARE(page.text("broken", RunsOptions::State), QString("damaged"));
    QVERIFY(page.text("whole", RunsOptions::Model).contains("2 \u00D7 2"));
}

void TstRuns::columnsSortAndWordsFilter()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 30, 8);
    trainTo(page.folder.path("b"), 10, 2);
    trainTo(page.folder.path("c"), 20, 5);
    page.show();
    emit page.table().columnChosen(RunsOptions::Seed);
    QCOMPARE(page.names(), (QStringList{"b", "c", "a"}));
    emit page.table().columnChosen(RunsOptions::Seed);
    QCOMPARE(page.names(), (QStringList{"a", "c", "b"}));
    emit page.table().columnChosen(RunsOptions::Step);
    QCOMPARE(page.names(), (QStringList{"a", "c", "b"}));
    page.table().setFocus();
    page.table().setChosen({page.path("c")});
    QTest::keyClick(&page.table(), Qt::Key_Left); // to Model, all alike: by name
    QCOMPARE(page.table().sortedColumn(), int{RunsOptions::Model});
    QCOMPARE(page.names(), (QStringList{"a", "b", "c"}));
    QCOMPARE(page.table().chosen(), QStringList{page.path("c")});
    RunLibrary::setNotes(page.folder.path("b"), "the odd one");
    childOf<QLineEdit>(childOf<RunsFilter>(page.view)).setText("ODD repeat");
    page.shelf().refresh();
    QTRY_COMPARE(page.names(), QStringList{"b"});
    QTest::keyClick(&page.view, Qt::Key_Escape);
    QCOMPARE(page.names().size(), 3);
}

void TstRuns::chosenRunsLieInOneChart()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 60);
    trainTo(page.folder.path("b"), 40, 2);
    page.show();
    page.choose({page.path("a"), page.path("b")});
    const LineChartContent& content = page.curves();
    for (const char* name : {"a", "b"}) { // in whichever order: the newer stands first
        const auto curve = curveOf(content, name);
        QVERIFY(curve != content.curves.end());
        const auto row = static_cast<std::size_t>(page.names().indexOf(name));
        std::vector<QPointF> expected;
        for (const nlohmann::json& line : logOf(page.folder.path(name)))
            if (line.at("val_loss").is_number())
                expected.emplace_back(line.at("step").get<double>(),
                                      line.at("val_loss").get<double>());
        QVERIFY(expected.size() >= 2);
        QCOMPARE(curve->points, expected);
        QCOMPARE(page.table().rows()[row].hue, curve->slot);
    }
    QJsonObject options;
    options["curve"] = "head induction";
    page.view.setOptions(options);
    QTRY_VERIFY(page.curves().title.contains("induction"));
    const auto scores = readJsonLines(page.folder.path("a") / "scores.jsonl");
    const LineChartContent& induction = page.curves();
    QVERIFY(curveOf(induction, "a") != induction.curves.end());
    const auto& points = curveOf(induction, "a")->points;
    QCOMPARE(points.size(), scores.size());
    const HeadCurves heads = HeadCurves::read(page.folder.path("a"));
    for (std::size_t index = 0; index < points.size(); ++index) {
        double most = -1.0;
        for (const HeadId& place : heads.places())
            most = std::max(most, heads.curve("induction", place)[index]);
        QCOMPARE(points[index].y(), most);
    }
}

void TstRuns::tokensCountTheRowsOfChangedBatches()
{
    RunsFixture page;
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(page.folder.path("a")));
        train(run, 10);
        LiveSettings settings = run.settings();
        settings.batchSize = 2;
        run.change(settings);
        train(run, 60);
        run.save();
    }
    page.show();
    QJsonObject options;
    options["byTokens"] = true;
    page.view.setOptions(options);
    page.choose({page.path("a")});
    const auto& points = page.curves().curves.front().points;
    QCOMPARE(points.back().x(), (10 * 4 + 50 * 2) * 32.0); // rows of batches times context
    QCOMPARE(page.curves().unit, QString("tokens"));
}

void TstRuns::twoRunsShowTheSettingsThatDiffer()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 5);
    trainTo(page.folder.path("b"), 5, 3, 2);
    page.show();
    page.choose({page.path("a"), page.path("b")});
    const auto& rows = page.differences().rows();
    QVERIFY(page.differences().isVisible());
    QCOMPARE(rows.size(), std::size_t{1});
    const bool newerFirst = page.names().front() == "b"; // they may have begun in one second
    QCOMPARE(rows.front().texts, newerFirst ? (QStringList{"accumulate", "2", "1"})
                                            : (QStringList{"accumulate", "1", "2"}));
    page.choose({page.path("a")});
    QVERIFY(!page.differences().isVisible());
}

void TstRuns::notesAreKept()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 5);
    trainTo(page.folder.path("b"), 5);
    page.show();
    page.choose({page.path("a")});
    page.notes().setFocus();
    QTest::keyClicks(&page.notes(), "a better rate");
    page.choose({page.path("b")}); // leaving it keeps what was typed
    QCOMPARE(QString::fromStdString(textOf(page.folder.path("a") / "notes.txt")),
             QString("a better rate"));
    QVERIFY(page.notes().toPlainText().isEmpty());
    QTRY_VERIFY(page.shelf().run(page.path("a"))->summary.notes == "a better rate");
    page.choose({page.path("a")});
    QTRY_COMPARE(page.notes().toPlainText(), QString("a better rate"));
}

void TstRuns::deletedRunsComeBack()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 5);
    trainTo(page.folder.path("b"), 5);
    page.show();
    const std::string log = textOf(page.folder.path("a") / "log.jsonl");
    page.table().setChosen({page.path("a")});
    QTest::keyClick(&page.table(), Qt::Key_Delete);
    QVERIFY(!std::filesystem::exists(page.folder.path("a")));
    QTRY_COMPARE(page.names(), QStringList{"b"});
    page.session().document().undoStack().undo();
    QCOMPARE(textOf(page.folder.path("a") / "log.jsonl"), log);
    QTRY_COMPARE(page.names().size(), 2);
    page.session().document().undoStack().redo();
    QVERIFY(!std::filesystem::exists(page.folder.path("a")));
    trainTo(page.folder.path("a"), 3); // the old place is taken
    QSignalSpy reported(&page.view, &Page::messageWanted);
    page.session().document().undoStack().undo();
    QCOMPARE(reported.size(), 1);
    QVERIFY(reported.front().front().toString().contains("another training run"));
}

void TstRuns::aRunThatIsBeingWrittenIsFollowedAndStays()
{
    RunsFixture page;
    LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(page.folder.path("a")));
    train(run, 4);
    page.show();
    QCOMPARE(page.text("a", RunsOptions::State), QString("running"));
    QCOMPARE(page.text("a", RunsOptions::Step), QString("4 of 60"));
    page.choose({page.path("a")});
    train(run, 20);
    QTRY_COMPARE(page.text("a", RunsOptions::Step), QString("20 of 60"));
    QTRY_COMPARE(page.curves().curves.front().points.size(), std::size_t{1});
    QSignalSpy reported(&page.view, &Page::messageWanted);
    page.shelf().remove(page.path("a"));
    QVERIFY(std::filesystem::exists(page.folder.path("a")));
    QVERIFY(reported.front().front().toString().contains("in progress"));
}

void TstRuns::aDivergedRunSaysWhereItBegan()
{
    RunsFixture page;
    std::int64_t step = -1;
    {
        TrainingConfig config = smallTrainingConfig();
        config.optimizer.learningRate = 900.0;
        config.optimizer.clipNorm = std::nullopt;
        LiveRun run = LiveRun::create(config, optionsFor(page.folder.path("a")));
        try {
            train(run, 60);
        } catch (const DivergedError& error) {
            step = error.step();
        }
    }
    QVERIFY(step >= 0);
    page.show();
    QCOMPARE(page.text("a", RunsOptions::State), QString("diverged"));
    page.choose({page.path("a")});
    bool isMarked = false;
    for (const ChartMark& mark : page.curves().marks)
        isMarked = isMarked || (mark.isFault && mark.x == static_cast<double>(step));
    QVERIFY(isMarked);
}

void TstRuns::exportedCurvesAreTheLog()
{
    RunsFixture page;
    trainTo(page.folder.path("a"), 20);
    page.show();
    page.choose({page.path("a")});
    const auto files = saveNumbers(page.view.figure(), page.folder.path("out.csv"));
    QCOMPARE(files.size(), std::size_t{1});
    const QStringList lines =
        QString::fromStdString(textOf(files.front())).split('\n', Qt::SkipEmptyParts);
    const auto log = logOf(page.folder.path("a"));
    QCOMPARE(lines.size(), static_cast<int>(log.size()) + 1);
    const QStringList titles = lines.front().trimmed().split(',');
    const auto column = titles.indexOf("loss");
    QVERIFY(column > 0);
    for (std::size_t index = 0; index < log.size(); ++index) {
        const QStringList cells = lines[static_cast<int>(index) + 1].trimmed().split(',');
        QCOMPARE(cells[0].toLongLong(), log[index].at("step").get<qint64>());
        QCOMPARE(cells[column].toFloat(), log[index].at("loss").get<float>());
    }
}

void TstRuns::optionsComeBack()
{
    RunsFixture page;
    page.show();
    emit page.table().columnChosen(RunsOptions::Best);
    QJsonObject options = page.view.options();
    options["curve"] = "lr";
    options["filter"] = "x";
    RunsFixture other;
    other.view.setOptions(options);
    QCOMPARE(other.view.options(), options);
    options["curve"] = "none";
    options["column"] = 99;
    other.view.setOptions(options);
    QCOMPARE(other.view.options()["curve"].toString(), QString("val_loss"));
}

HEADSCOPE_WINDOW_TEST(TstRuns)
#include "tst_runs.moc"
