// links: core/experiments
// labels: threads
#include "core/experiments/conclusions.h"
#include "core/train/files/run_directory.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/experiments/experiment_charts.h"
#include "ui/pages/experiments/experiments_content.h"
#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/shared/fitted_scroll.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/fact_table.h"

#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtMath>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

struct ExperimentsFixture
{
    ExperimentsFixture() : view(fixture.session) { view.resize(1200, 720); }

    std::filesystem::path path(const std::string& experiment) const
    {
        const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
        return std::filesystem::path(data.toStdString()) / "experiments" / experiment;
    }

    ExperimentShelf& shelf() { return childOf<ExperimentShelf>(view); }

    FactTable& list() { return childOf<FactTable>(view, "list"); }

    FactTable& numbers() { return childOf<FactTable>(view, "numbers"); }

    TextLabel& conclusion() { return childOf<TextLabel>(view, "conclusion"); }

    LineChart& plot() { return childOf<LineChart>(view, "plot"); }

    QPushButton& start() { return childOf<QPushButton>(view, "start"); }

    void show(const QString& experiment)
    {
        shelf().choose(experiment);
        view.show();
        QTRY_VERIFY(view.isSettled() && shelf().record().experiment == experiment.toStdString());
    }

    SessionFixture fixture;
    ExperimentsPage view;
};

/// Loss 1.9 + 300 N^-0.5, which the fit must find again.
ExperimentResult lawResult(const Experiment& experiment)
{
    ExperimentResult result;
    result.experiment = experiment.name;
    std::vector<PowerLawPoint> points;
    double size = 10'000.0;
    for (const ExperimentVariant& variant : experiment.variants) {
        const double loss = 1.9 + 300.0 / std::sqrt(size);
        VariantResult one;
        one.name = variant.name;
        one.label = variant.label;
        one.numbers = {{"validation_loss", loss}, {"accuracy", 0.5}, {"parameters", size}};
        result.variants.push_back(one);
        points.push_back({size, loss});
        size *= 3.0;
    }
    result.law = fitPowerLaw(points);
    result.conclusion = conclusionOf(experiment, result);
    return result;
}

} // namespace

class TstExperiments : public QObject
{
    Q_OBJECT

private slots:

    void init();
    void theListIsTheCatalogue();
    void aKeptResultIsShownAgain();
    void theScalingLawIsDrawnWithItsFit();
    void seedsAreOneRowWithTheirSpread();
    void trainingCanBeCancelledAndGoesOn();
    void aDamagedResultIsNamed();
    void chartsKeepTheirRoomWhileFindingsScroll();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstExperiments::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
}

void TstExperiments::theListIsTheCatalogue()
{
    ExperimentsFixture page;
    page.show(QString::fromStdString(experimentCatalogue().back().name));
    const auto& rows = page.list().rows();
    QCOMPARE(rows.size(), experimentCatalogue().size());
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const Experiment& experiment = experimentCatalogue()[index];
        QCOMPARE(rows[index].texts[0], QString::fromStdString(experiment.title));
        QCOMPARE(rows[index].texts[1], QString::fromStdString(experiment.row));
        QCOMPARE(rows[index].texts[2], QString("not run"));
    }
    page.list().setFocus();
    QTest::keyClick(&page.list(), Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(page.shelf().experiment().name, experimentCatalogue().front().name);
    QVERIFY(!page.shelf().isRunning());
    QTRY_VERIFY(page.start().text().contains(
        QString::number(experimentCatalogue().front().variants.size())));
}

void TstExperiments::aKeptResultIsShownAgain()
{
    ExperimentsFixture page;
    const Experiment& experiment = catalogueExperiment("scaling-law");
    const ExperimentResult result = lawResult(experiment);
    std::filesystem::create_directories(page.path("scaling-law"));
    saveExperimentResult(page.path("scaling-law"), result);
    page.show("scaling-law");
    QTRY_COMPARE(page.conclusion().text(), QString::fromStdString(result.conclusion));
    QVERIFY(page.conclusion().isVisible());
    const auto& rows = page.numbers().rows();
    const auto columnOf = [&page](const QString& title) {
        const auto& columns = page.numbers().columns();
        return static_cast<int>(
            std::find_if(columns.begin(), columns.end(),
                         [&](const FactColumn& column) { return column.title == title; }) -
            columns.begin());
    };
    QCOMPARE(rows.size(), experiment.variants.size());
    for (std::size_t index = 0; index < rows.size(); ++index) {
        QCOMPARE(rows[index].texts[0], QString::fromStdString(experiment.variants[index].label));
        QCOMPARE(rows[index].texts[columnOf("validation loss")],
                 number(result.variants[index].number("validation_loss"), 3));
        QCOMPARE(rows[index].texts[columnOf("parameters")],
                 count(std::llround(result.variants[index].number("parameters"))));
    }
    QCOMPARE(page.list().rows().back().texts[2], QString("done"));
    QVERIFY(page.list().rows().back().toolTip.contains("20"));
    QSignalSpy wanted(&page.view, &ExperimentsPage::runWanted);
    emit page.numbers().rowOpened(QString::fromStdString(experiment.variants[1].name));
    QCOMPARE(wanted.front().front().toString(),
             QString::fromStdString(
                 variantFolder(page.path("scaling-law"), experiment.variants[1]).string()));
}

void TstExperiments::seedsAreOneRowWithTheirSpread()
{
    const Experiment& experiment = catalogueExperiment("shared-heads");
    ExperimentResult result;
    result.experiment = experiment.name;
    for (const ExperimentVariant& variant : experiment.variants) {
        VariantResult one;
        one.name = variant.name;
        one.label = variant.label;
        const double loss = 2.0 + 0.1 * static_cast<double>(variant.config.seed);
        one.numbers = {{"validation_loss", loss}, {"cache_bytes", 512.0}};
        one.series = {{"loss_by_cache", {512.0}, {loss}}};
        result.variants.push_back(one);
    }
    const auto rows = numberRows(experiment, result);
    QCOMPARE(rows.size(), std::size_t{4});
    QCOMPARE(rows[1].texts,
             (QStringList{"GQA, 2 groups", QStringLiteral("2.300 \u00B1 0.158"), "512"}));
    QCOMPARE(rows[1].id, QStringLiteral("gqa-1"));
    const LineChartContent chart = plotChart(experiment, result, 0);
    QCOMPARE(chart.curves.size(), std::size_t{4});
    QCOMPARE(chart.curves[1].points.size(), std::size_t{5});
    QCOMPARE(chart.curves[1].ending, QStringLiteral("gqa"));
    QVERIFY(chart.curves[1].slot != chart.curves[2].slot);
    ExperimentRecord record;
    for (const ExperimentVariant& variant : experiment.variants) {
        record.variants.emplace_back();
        LogLine line;
        line.step = 100;
        line.validationLoss = static_cast<double>(variant.config.seed);
        record.variants.back().curves.lines.push_back(line);
    }
    const LineChartContent losses = variantsChart(experiment, record, false);
    QCOMPARE(losses.curves.size(), std::size_t{4});
    QCOMPARE(losses.curves[3].points, (std::vector<QPointF>{{100.0, 3.0}}));
}

void TstExperiments::theScalingLawIsDrawnWithItsFit()
{
    ExperimentsFixture page;
    const Experiment& experiment = catalogueExperiment("scaling-law");
    std::filesystem::create_directories(page.path("scaling-law"));
    saveExperimentResult(page.path("scaling-law"), lawResult(experiment));
    page.show("scaling-law");
    QTRY_VERIFY(page.plot().isVisible());
    const LineChartContent& content = page.plot().content();
    QVERIFY(content.x.logarithmic && content.y.logarithmic);
    QCOMPARE(content.curves.size(), experiment.variants.size() + 1);
    double size = 10'000.0;
    for (std::size_t index = 0; index < experiment.variants.size(); ++index, size *= 3.0) {
        QCOMPARE(content.curves[index].points.size(), std::size_t{1});
        QCOMPARE(content.curves[index].points.front(),
                 QPointF(size, 1.9 + 300.0 / std::sqrt(size)));
    }
    for (const QPointF& point : content.curves.back().points) // the law that was put in
        QVERIFY(std::abs(point.y() / (1.9 + 300.0 / std::sqrt(point.x())) - 1.0) < 0.01);
    QVERIFY(!page.view.figure().numbers.empty());
}

void TstExperiments::trainingCanBeCancelledAndGoesOn()
{
    ExperimentsFixture page;
    page.show("positions-missing");
    const Experiment& experiment = page.shelf().experiment();
    page.shelf().startOrCancel();
    QVERIFY(page.shelf().isRunning());
    const auto hasLines = [&page] {
        return !page.shelf().record().variants.empty() &&
               !page.shelf().record().variants.front().curves.lines.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasLines(), 60000);
    QVERIFY(page.list().rows().front().texts.size() == 3);
    page.shelf().startOrCancel();
    QTRY_VERIFY_WITH_TIMEOUT(!page.shelf().isRunning(), 60000);
    QTRY_COMPARE(page.start().text(), QString("Resume"));
    // What is drawn is what the run's own log says.
    const auto folder = variantFolder(page.path(experiment.name), experiment.variants.front());
    QTRY_COMPARE(page.shelf().record().variants.front().curves.lines.size(),
                 RunCurves::read(folder).lines.size());
    const LineChartContent content = variantsChart(experiment, page.shelf().record(), false);
    std::size_t measured = 0;
    for (const LogLine& line : RunCurves::read(folder).lines)
        measured += std::isnan(line.validationLoss) ? 0 : 1;
    QCOMPARE(content.curves.front().points.size(), measured);
    QVERIFY(!page.shelf().record().result.has_value());
}

void TstExperiments::aDamagedResultIsNamed()
{
    ExperimentsFixture page;
    const std::string name = experimentCatalogue().front().name;
    std::filesystem::create_directories(page.path(name));
    QFile file(QString::fromStdString((page.path(name) / "result.json").string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"experiment\": 3");
    file.close();
    page.show(QString::fromStdString(experimentCatalogue().back().name));
    page.show(QString::fromStdString(name));
    QTRY_VERIFY(page.conclusion().text().contains("result.json"));
    QVERIFY(!page.numbers().isVisible());
}

void TstExperiments::chartsKeepTheirRoomWhileFindingsScroll()
{
    ExperimentsFixture page;
    ExperimentResult result = lawResult(catalogueExperiment("scaling-law"));
    for (int sentence = 0; sentence < 12; ++sentence)
        result.conclusion += " A larger model has a smaller loss, as the fit forecasts.";
    std::filesystem::create_directories(page.path("scaling-law"));
    saveExperimentResult(page.path("scaling-law"), result);
    page.view.resize(1000, 560);
    page.show("scaling-law");
    QTRY_VERIFY(page.conclusion().isVisible());
    const auto* findings = page.view.findChild<FittedScroll*>();
    QVERIFY(findings);
    QTRY_VERIFY(findings->verticalScrollBar()->maximum() > 0);
    QTRY_VERIFY(childOf<ExperimentCharts>(page.view).height() >= qFloor(0.4 * page.view.height()));
    QVERIFY(page.plot().isVisible() && page.plot().height() > 120);
    QVERIFY(findings->geometry().bottom() <= page.view.rect().bottom());
    findings->verticalScrollBar()->setValue(0);
    page.view.activateWindow();
    page.list().setFocus();
    page.numbers().setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(findings->verticalScrollBar()->value() > 0);
    page.view.resize(1000, 1800);
    QTRY_COMPARE(findings->verticalScrollBar()->maximum(), 0);
}

HEADSCOPE_WINDOW_TEST(TstExperiments)
#include "tst_experiments.moc"
