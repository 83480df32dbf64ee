// How the Train page shows its run; what the person can do there is in train_view.cpp.
#include "ui/session/runs/training.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/train/train_bar.h"
#include "ui/pages/train/train_plan.h"
#include "ui/pages/train/train_settings.h"
#include "ui/pages/train/train_page.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/charts/timeline_widget.h"

#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::ui {

void TrainPage::refresh(ChangeSet changes)
{
    const bool isOfRun = changes.testFlag(Change::Busy) || changes.testFlag(Change::Display);
    const TrainPicture now = picture();
    if (isOfRun) {
        refreshControls(now);
        refreshCharts(now);
        refreshMessage();
    }
    refreshSide(now);
}

void TrainPage::refreshCharts(const TrainPicture& now)
{
    m_upper->setContent(upperChart(now));
    m_lower->setContent(lowerChart(now));
    m_timeline->setContent(timelineOf(now));
}

void TrainPage::refreshControls(const TrainPicture& now)
{
    const bool plans = isPlanning();
    m_plan->setVisible(plans);
    m_plan->setCancellable(m_training.hasRun());
    m_bar->setVisible(!plans);
    m_bar->setState({m_training.state(), now.shown.value_or(now.record.step), now.record.steps,
                     readingsOf(now)});
    m_upperKind->setCurrent(static_cast<int>(now.options.upper));
    m_lowerKind->setCurrent(static_cast<int>(now.options.lower));
    for (const int index : {0, 1})
        m_lowerKind->setSegmentEnabled(index, !plans,
                                       plans ? tr("There is nothing to show before the first step")
                                             : QString());
    const std::vector<std::string> names = now.record.heads.names();
    if (m_score->count() != static_cast<int>(names.size())) {
        m_score->clear();
        for (const std::string& name : names)
            m_score->addItem(scoreWords(QString::fromStdString(name)),
                             QString::fromStdString(name));
    }
    m_score->setCurrentIndex(m_score->findData(scoreInUse(now)));
    m_score->setVisible(!plans && now.options.lower == TrainOptions::Lower::Scores &&
                        !names.empty());
    const QSignalBlocker steps(m_logSteps);
    const QSignalBlocker values(m_logValues);
    m_logSteps->setChecked(m_options.logarithmicSteps);
    m_logValues->setChecked(m_options.logarithmicValues);
    m_play->setChecked(m_training.isPlaying());
    m_play->setText(m_training.isPlaying() ? tr("Stop playing") : tr("Play"));
    m_play->setEnabled(now.record.moments.size() > 1);
    m_settings->setSettings(now.record.settings,
                            !plans && m_training.isOpen() &&
                                m_training.state() != TrainingPhase::Preparing);
    refreshMenu(*m_bar->menu());
}

void TrainPage::refreshSide(const TrainPicture& now)
{
    m_attention->setText(now.shown ? tr("Attention at step %1").arg(count(*now.shown))
                                   : tr("Attention now"));
    const TracePtr& trace = now.looking.trace();
    const bool hasRun = m_training.hasRun();
    m_attentionNote->setText(
        trace ? tr("%1 tokens \u00B7 fixed scale 0 to 1").arg(trace->tokens().size()) : QString());
    m_tiles->setVisible(trace != nullptr);
    m_nothing->setVisible(trace == nullptr);
    m_nothing->setText(hasRun && !isPlanning()
                           ? (m_training.isFollowed()
                                  ? tr("Type a text above to see what the heads look at.")
                                  : tr("The window shows another model. Move the timeline to come "
                                       "back to this run."))
                           : tr("Every head appears here as soon as the run has started."));
    m_tiles->setContent(tilesOf(now));
    m_legend->setVisible(trace != nullptr);
    if (trace)
        m_legend->setContent(gridLegend(now.looking));
    const auto parts = session().model().model ? partsOf(session().model().model->config())
                                               : std::vector<AttentionPart>{};
    const bool hasParts = trace && parts.size() > 1;
    if (hasParts && m_part->property("parts").toInt() != static_cast<int>(parts.size())) {
        m_part->setSegments({{tr("Encoder"), tr("Source to source")},
                             {tr("Decoder"), tr("Target to target")},
                             {tr("Cross"), tr("Target to source")}});
        m_part->setProperty("parts", static_cast<int>(parts.size()));
    }
    m_part->setVisible(hasParts);
    for (std::size_t index = 0; hasParts && index < parts.size(); ++index) {
        if (parts[index] == session().selection().part)
            m_part->setCurrent(static_cast<int>(index));
    }
    m_task->setText(now.title.isEmpty() ? tr("Task") : tr("Task: %1").arg(now.title));
    m_taskText->setText(taskText(now));
    m_facts->setText(factsOf(now.record));
}

// ------------------------------------------------------------------------------------ what is said

void TrainPage::refreshMessage()
{
    const auto& divergence = m_training.divergence();
    if (m_film.isRunning())
        return m_message->show(MessageKind::Progress,
                               tr("Writing the film: frame %1 of %2")
                                   .arg(m_filmDone)
                                   .arg(m_training.record().moments.size()),
                               tr("Cancel"));
    if (m_training.state() == TrainingPhase::Preparing)
        return m_message->show(MessageKind::Progress,
                               m_training.saying().isEmpty() ? tr("Preparing the run")
                                                             : m_training.saying(),
                               tr("Cancel"));
    if (!m_error.isEmpty())
        return m_message->show(MessageKind::Error, m_error);
    if (divergence && m_dismissed != divergence->sentence)
        return m_message->show(MessageKind::Error, divergence->sentence,
                               divergence->lastGood
                                   ? tr("Show step %1").arg(count(*divergence->lastGood))
                                   : QString());
    m_message->hide();
}

void TrainPage::pressMessageButton()
{
    if (m_film.isRunning())
        return m_film.cancel();
    if (m_training.state() == TrainingPhase::Preparing)
        return m_training.cancelPreparation();
    const auto& divergence = m_training.divergence();
    if (divergence && divergence->lastGood)
        m_training.showMoment(*divergence->lastGood);
}

// ----------------------------------------------------------------------------------------- the
// menu

void TrainPage::fillMenu(QMenu& menu)
{
    const auto add = [this, &menu](const char* name, const QString& text, auto handler) {
        QAction* action = menu.addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, handler);
    };
    add("new", tr("New run\u2026"), [this] { planRun(); });
    add("again", tr("Start again with the same seed"),
        [this] { m_training.reset(m_training.record().config.seed); });
    add("seed", tr("Start again with a new seed"),
        [this] { m_training.reset(m_training.record().config.seed + 1); });
    menu.addSeparator();
    add("save", tr("Save a checkpoint"), [this] { m_training.save(); });
    add("longer", tr("Train for half as long again"), [this] {
        const std::int64_t steps = m_training.record().steps;
        m_training.setSteps(steps + std::max<std::int64_t>(1, steps / 2));
    });
    menu.addSeparator();
    add("fork", tr("Go on from the shown snapshot as a new run"),
        [this] { m_training.fork(*m_training.shownStep()); });
    add("compare", tr("Compare the shown snapshot as B"), [this] {
        m_training.compareWith(*m_training.shownStep());
        emit pageWanted("compare");
    });
    add("pin", tr("Pin or unpin the shown snapshot"), [this] {
        const TrainingRecord& record = m_training.record();
        const int index = record.momentOf(*m_training.shownStep());
        if (index >= 0)
            m_training.pin(*m_training.shownStep(),
                           !record.moments[static_cast<std::size_t>(index)].isPinned);
    });
    menu.addSeparator();
    add("film", tr("Export as a film\u2026"), [this] { chooseFilmFolder(); });
}

void TrainPage::refreshMenu(QMenu& menu)
{
    const bool isShown = m_training.shownStep().has_value();
    for (QAction* action : menu.actions()) {
        const QString name = action->objectName();
        if (name == "fork" || name == "compare" || name == "pin")
            action->setEnabled(isShown);
        else if (name == "film")
            action->setEnabled(!m_training.record().moments.empty() && !m_film.isRunning());
        else if (name == "save" || name == "longer")
            action->setEnabled(m_training.isOpen());
        else if (!name.isEmpty() && name != "new")
            action->setEnabled(m_training.hasRun());
    }
}

void TrainPage::chooseFilmFolder()
{
    auto* dialog = new QFileDialog(this, tr("A folder for the frames"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &TrainPage::exportFilmTo);
    dialog->open();
}

void TrainPage::exportFilmTo(const QString& folder)
{
    constexpr double kScale = 1.0;
    m_film.start(picture(), {Theme::of(*this).dark, kScale}, folder.toStdString());
}

} // namespace headscope::ui
