#include "ui/pages/experiments/experiment_card.h"

#include "ui/pages/experiments/experiment_shelf.h"
#include "ui/pages/experiments/experiments_content.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/reading_width.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/labels.h"

#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kStartHeight = 40;
constexpr int kBarSteps = 1000;

} // namespace

ExperimentCard::ExperimentCard(ExperimentShelf& shelf, QWidget* parent)
    : QWidget(parent)
    , m_shelf(shelf)
    , m_start(new QPushButton(this))
    , m_title(new TextLabel({}, TextRole::Title, Tone::Text, this))
    , m_description(paragraph({}, TextRole::Body, Tone::Text, this))
    , m_facts(paragraph({}, TextRole::Body, Tone::Text3, this))
    , m_bar(new QProgressBar(this))
    , m_progress(new TextLabel({}, TextRole::Body, Tone::Text2, this))
{
    m_start->setObjectName("start");
    m_start->setProperty("role", "primary");
    m_start->setFixedHeight(kStartHeight);
    m_start->setMinimumWidth(168);
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("Completed fraction of the experiment"));
    auto* head = rowOf(24, {m_start, {m_title, 1}});
    columnOf(8, {head, readableRow(m_description), readableRow(m_facts), m_bar, m_progress}, this);
    connect(m_start, &QPushButton::clicked, &m_shelf, &ExperimentShelf::startOrCancel);
}

void ExperimentCard::refresh()
{
    const Experiment& experiment = m_shelf.experiment();
    m_title->setText(QString::fromStdString(experiment.title));
    m_description->setText(QString::fromStdString(experiment.description) + QLatin1Char(' ') +
                           QString::fromStdString(experiment.measured));
    m_facts->setText(recordText(experiment, m_shelf.record()));
    refreshProgress();
}

void ExperimentCard::refreshProgress()
{
    refreshStart();
    const ExperimentState& state = m_shelf.state();
    m_bar->setVisible(m_shelf.isThisRunning());
    m_progress->setVisible(m_shelf.isThisRunning());
    m_bar->setValue(static_cast<int>(std::lround(state.done * kBarSteps)));
    QStringList parts{tr("%1 %").arg(number(100.0 * state.done, 0))};
    if (!state.what.isEmpty())
        parts << state.what;
    if (state.secondsLeft > 0.0)
        parts << tr("%1 left").arg(timeText(state.secondsLeft));
    m_progress->setText(parts.join(QStringLiteral(" \u00B7 ")));
}

void ExperimentCard::refreshStart()
{
    const bool isThis = m_shelf.isThisRunning();
    const bool isDone = m_shelf.record().result.has_value();
    const bool isOther = m_shelf.isRunning() && !isThis;
    m_start->setText(isThis   ? tr("Cancel")
                     : isDone ? tr("Train again")
                     : m_shelf.isBegun()
                         ? tr("Resume")
                         : tr("Train all %1").arg(m_shelf.experiment().variants.size()));
    m_start->setEnabled(!isOther);
    m_start->setToolTip(isOther  ? tr("Another experiment is running. Cancel it first.")
                        : isThis ? tr("Saves the current state, so that training can be resumed")
                        : isDone ? tr("Starts from step 0; this result is moved to the bin")
                                 : tr("Trains every variant in turn from one seed"));
}

} // namespace headscope::ui
