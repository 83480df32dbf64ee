#include "ui/pages/experiments/experiments_page.h"

#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"
#include "ui/workers/error_sentence.h"

#include <QDateTime>
#include <QFileInfo>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kBarSteps = 1000;

} // namespace

void ExperimentsPage::connectWorker()
{
    connect(&m_again, &QTimer::timeout, this, &ExperimentsPage::read);
    connect(&m_worker, &ExperimentWorker::recordRead, this, &ExperimentsPage::take);
    connect(&m_worker, &ExperimentWorker::progressed, this, &ExperimentsPage::takeProgress);
    connect(&m_worker, &ExperimentWorker::ended, this, [this](const QString& sentence) {
        m_again.stop();
        m_error = sentence;
        m_state = {};
        readDays();
        read();
        note(Change::Display);
    });
}

// ------------------------------------------------------------------------------------------- state

std::filesystem::path ExperimentsPage::folderOf(const Experiment& experiment) const
{
    return std::filesystem::path(m_folder.toStdString()) / experiment.name;
}

void ExperimentsPage::setFolder(const QString& folder)
{
    m_folder = folder;
    readDays();
    read();
}

void ExperimentsPage::choose(const QString& name)
{
    for (const Experiment& experiment : experimentCatalogue()) {
        if (QString::fromStdString(experiment.name) != name || &experiment == m_experiment)
            continue;
        m_experiment = &experiment;
        m_record = {};
        m_shownPlot = 0;
        m_error.clear();
        read();
        note(Change::Display);
    }
}

bool ExperimentsPage::isThisRunning() const
{
    return m_worker.running() == m_experiment->name;
}

void ExperimentsPage::startOrCancel()
{
    if (isThisRunning())
        return m_worker.cancel();
    if (isRunning())
        return;
    m_error.clear();
    m_state = {};
    if (m_record.result && !clearAway())
        return note(Change::Display);
    m_worker.start(*m_experiment, folderOf(*m_experiment), session().device().toStdString());
    m_again.start();
    note(Change::Display);
}

/// Into the bin of the folder, so that everything is trained anew.
bool ExperimentsPage::clearAway()
{
    try {
        RunLibrary(m_folder.toStdString()).remove(folderOf(*m_experiment));
        m_record = {};
        readDays();
        return true;
    } catch (const std::exception& error) {
        m_error = errorSentence(error);
        return false;
    }
}

void ExperimentsPage::read()
{
    m_isReading = true;
    m_worker.read(*m_experiment, folderOf(*m_experiment));
}

/// Only when result files were written: nothing in them is read.
void ExperimentsPage::readDays()
{
    m_finished.clear();
    for (const Experiment& experiment : experimentCatalogue()) {
        const QFileInfo file(
            QString::fromStdString((folderOf(experiment) / "result.json").string()));
        if (file.exists())
            m_finished[experiment.name] =
                file.lastModified().toUTC().toString(Qt::ISODate).toStdString();
    }
}

void ExperimentsPage::take(const ExperimentRecord& record)
{
    m_isReading = false;
    if (record.experiment != m_experiment->name)
        return;
    m_record = record;
    note(Change::Display);
}

void ExperimentsPage::takeProgress(const ExperimentState& state)
{
    m_state = state;
    refreshProgress();
}

void ExperimentsPage::openVariant(const QString& name)
{
    for (const ExperimentVariant& variant : m_experiment->variants)
        if (QString::fromStdString(variant.name) == name)
            emit runWanted(
                QString::fromStdString(variantFolder(folderOf(*m_experiment), variant).string()));
}

// ----------------------------------------------------------------------------------------- refresh

void ExperimentsPage::refresh(ChangeSet)
{
    refreshList();
    refreshWords();
    refreshProgress();
    refreshCharts();
}

void ExperimentsPage::refreshList()
{
    m_list->setRows(experimentRows(m_finished, m_worker.running()));
    const QString name = QString::fromStdString(m_experiment->name);
    if (m_list->chosen() != QStringList{name})
        m_list->setChosen({name});
}

void ExperimentsPage::refreshWords()
{
    m_title->setText(QString::fromStdString(m_experiment->title));
    m_description->setText(QString::fromStdString(m_experiment->description) + QLatin1Char(' ') +
                           QString::fromStdString(m_experiment->measured));
    m_facts->setText(recordWords(*m_experiment, m_record));
    const QString problem = !m_error.isEmpty() ? m_error : m_record.problem;
    m_conclusion->setTone(problem.isEmpty() ? Tone::Text : Tone::Error);
    m_conclusion->setText(!problem.isEmpty() ? problem
                          : m_record.result  ? QString::fromStdString(m_record.result->conclusion)
                                             : QString());
    m_conclusion->setVisible(!m_conclusion->text().isEmpty());
    m_numbers->setVisible(m_record.result.has_value());
    if (!m_record.result)
        return;
    const auto columns = numberColumns(*m_record.result);
    if (m_numbers->columns().size() != columns.size() ||
        m_numbers->property("of").toString() != m_title->text())
        m_numbers->setColumns(columns);
    m_numbers->setProperty("of", m_title->text());
    m_numbers->setRows(numberRows(*m_experiment, *m_record.result));
}

void ExperimentsPage::refreshProgress()
{
    const bool isThis = isThisRunning();
    const bool isBegun = !m_record.variants.empty() &&
                         !m_record.variants.front().curves.lines.empty() && !m_record.result;
    m_start->setText(isThis            ? tr("Cancel")
                     : m_record.result ? tr("Train again")
                     : isBegun         ? tr("Go on")
                                       : tr("Train all %1").arg(m_experiment->variants.size()));
    m_start->setEnabled(isThis || !isRunning());
    m_start->setToolTip(!isThis && isRunning()
                            ? tr("Another experiment is running: cancel it first")
                        : isThis          ? tr("Saves where it is: it can go on from there")
                        : m_record.result ? tr("From the start; this result goes to the bin")
                                          : tr("Every variant, in turns, from one seed"));
    m_bar->setVisible(isThis);
    m_progress->setVisible(isThis);
    m_bar->setValue(static_cast<int>(std::lround(m_state.done * kBarSteps)));
    QStringList parts{tr("%1 %").arg(number(100.0 * m_state.done, 0))};
    if (!m_state.what.isEmpty())
        parts << m_state.what;
    if (m_state.secondsLeft > 0.0)
        parts << tr("%1 left").arg(timeWords(m_state.secondsLeft));
    m_progress->setText(parts.join(QStringLiteral(" \u00B7 ")));
}

void ExperimentsPage::refreshCharts()
{
    m_which->setCurrent(m_training ? 1 : 0);
    LineChartContent losses = variantsChart(*m_experiment, m_record, m_training);
    if (losses.isEmpty())
        losses.note = isThisRunning() ? tr("nothing measured yet") : tr("not trained yet");
    m_losses->setContent(std::move(losses));
    const QStringList titles = plotTitles(*m_experiment, m_record);
    m_plotBox->setVisible(!titles.isEmpty());
    m_plots->setVisible(titles.size() > 1); // the chart itself says what the only one is
    if (titles.isEmpty())
        return;
    if (m_plots->property("titles").toStringList() != titles) {
        std::vector<Segment> segments;
        for (const QString& title : titles)
            segments.push_back({title, {}});
        m_plots->setSegments(segments);
        m_plots->setProperty("titles", titles);
    }
    m_shownPlot = std::min(m_shownPlot, static_cast<int>(titles.size()) - 1);
    m_plots->setCurrent(m_shownPlot);
    m_plot->setContent(
        plotChart(*m_experiment, *m_record.result, static_cast<std::size_t>(m_shownPlot)));
}

// --------------------------------------------------------------------------------------- as a page

void ExperimentsPage::showEvent(QShowEvent* event)
{
    readDays();
    read();
    if (isRunning())
        m_again.start();
    Page::showEvent(event);
}

void ExperimentsPage::hideEvent(QHideEvent* event)
{
    m_again.stop();
    Page::hideEvent(event);
}

Figure ExperimentsPage::figure() const
{
    return experimentFigure(*m_experiment, m_record, m_training);
}

void ExperimentsPage::focusMain()
{
    m_list->setFocus(Qt::OtherFocusReason);
}

QJsonObject ExperimentsPage::options() const
{
    return {{"experiment", QString::fromStdString(m_experiment->name)}, {"training", m_training}};
}

void ExperimentsPage::setOptions(const QJsonObject& options)
{
    m_training = options["training"].toBool();
    choose(options["experiment"].toString());
    note(Change::Display);
}

QString ExperimentsPage::hint() const
{
    return tr("\u2191 \u2193 choose \u00B7 Enter trains all variants \u00B7 Enter on a variant "
              "opens its run");
}

QString ExperimentsPage::noNumberWords() const
{
    return tr("The numbers here are measurements of training: they have no single origin.");
}

} // namespace headscope::ui
