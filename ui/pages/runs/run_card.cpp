#include "ui/pages/runs/run_card.h"

#include "ui/pages/runs/runs_table.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kPauseMs = 600;
constexpr int kNotesHeight = 64;

bool canOpen(const RunSummary& run)
{
    return run.state != RunSummary::State::Damaged;
}

bool canResume(const RunSummary& run)
{
    return run.state == RunSummary::State::Stopped || run.state == RunSummary::State::Finished;
}

QString resumeText(const RunSummary& run)
{
    switch (run.state) {
    case RunSummary::State::Running:
        return RunCard::tr("Already training");
    case RunSummary::State::Diverged:
        return RunCard::tr("Diverged. Fork from an earlier snapshot instead.");
    case RunSummary::State::Damaged:
        return RunCard::tr("The run is damaged");
    case RunSummary::State::Series:
        return whyReadOnlySeries();
    case RunSummary::State::Finished:
        return RunCard::tr("All steps are done; resuming extends the run");
    case RunSummary::State::Stopped:
        break;
    }
    return RunCard::tr("Resumes from the newest saved step, bit for bit");
}

} // namespace

RunCard::RunCard(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TextRole::Heading, Tone::Text, this))
    , m_facts(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_differences(new FactTable(tr("Settings that differ"), this))
    , m_same(
          new TextLabel(tr("Both have the same configuration."), TextRole::Body, Tone::Text2, this))
{
    m_run = makeRun();
    m_differences->setMinimumHeight(120);
    columnOf(8, {m_title, m_facts, m_run, m_same, {m_differences, 1}, Placed::space(0)}, this);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &RunCard::keepNotes);
    connect(m_notes, &QPlainTextEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    showNone(0);
}

RunCard::~RunCard()
{
    keepNotes();
}

QWidget* RunCard::makeRun()
{
    auto* box = new QWidget(this);
    m_notes = new QPlainTextEdit(box);
    m_notes->setPlaceholderText(tr("Notes about this run"));
    m_notes->setAccessibleName(tr("Notes about this run"));
    m_notes->setTabChangesFocus(true);
    m_notes->setFixedHeight(kNotesHeight);
    m_snapshots = new ChoiceBox(box);
    m_snapshots->setPurpose(tr("Snapshot of the run"));
    columnOf(8, {m_notes, makeButtons(), Placed::space()}, box);
    return box;
}

QLayout* RunCard::makeButtons()
{
    const auto button = [this](const QString& text, const QString& toolTip) {
        auto* made = new QPushButton(text, m_notes->parentWidget());
        made->setToolTip(toolTip);
        return made;
    };
    m_open = button(tr("&Open"), tr("Opens the Training page with its curves and its timeline"));
    m_resume = button(tr("&Resume"), {});
    m_model = button(tr("Open &model"), tr("Shows the weights of the selected snapshot in "
                                           "all views"));
    m_fork = button(tr("&Fork"), {});
    m_remove = button(tr("&Delete"), {});
    explainSeries();
    connect(m_open, &QPushButton::clicked, this, &RunCard::openWanted);
    connect(m_resume, &QPushButton::clicked, this, &RunCard::resumeWanted);
    connect(m_model, &QPushButton::clicked, this, [this] { emit modelWanted(snapshot()); });
    connect(m_fork, &QPushButton::clicked, this, [this] { emit forkWanted(snapshot()); });
    connect(m_remove, &QPushButton::clicked, this, &RunCard::removeWanted);
    auto* grid = new QGridLayout;
    grid->setSpacing(8);
    grid->addWidget(m_open, 0, 0);
    grid->addWidget(m_resume, 0, 1);
    grid->addWidget(m_remove, 0, 2);
    grid->addWidget(m_snapshots, 1, 0);
    grid->addWidget(m_model, 1, 1);
    grid->addWidget(m_fork, 1, 2);
    return grid;
}

/// Tells what the buttons do, or why they cannot.
void RunCard::explainSeries()
{
    const QString readOnly = whyReadOnlySeries();
    m_fork->setToolTip(m_isSeries ? readOnly : tr("Starts a new run from the selected snapshot"));
    m_remove->setToolTip(m_isSeries ? readOnly
                                    : tr("Moves the run to the folder's bin; Ctrl+Z restores it"));
    m_notes->setToolTip(m_isSeries ? readOnly : QString());
}

void RunCard::keepNotes()
{
    m_pause.stop();
    if (!m_path.isEmpty() && m_notes->document()->isModified())
        emit notesChanged(m_path, m_notes->toPlainText());
    m_notes->document()->setModified(false);
}

void RunCard::setPage(QWidget* shown)
{
    for (QWidget* page :
         {m_run, static_cast<QWidget*>(m_differences), static_cast<QWidget*>(m_same)})
        page->setVisible(page == shown);
}

void RunCard::showNone(int runs)
{
    keepNotes();
    m_path.clear();
    m_title->setText(runs > 2 ? tr("%1 runs selected").arg(runs) : tr("No run selected"));
    m_facts->setText(
        runs > 2 ? tr("Select two to see the settings that differ.")
                 : tr("Select one in the table, or several with Shift or Ctrl to overlay their "
                      "curves."));
    setPage(nullptr);
}

void RunCard::showRun(const RunEntry& run)
{
    const QString path = runId(run);
    const RunSummary& summary = run.summary;
    if (path != m_path) {
        keepNotes();
        m_path = path;
        setSnapshots({});
        m_notes->document()->setModified(false);
    }
    const QString notes = QString::fromStdString(summary.notes);
    if (!m_pause.isActive() && !m_notes->document()->isModified() &&
        notes != m_notes->toPlainText()) {
        const QSignalBlocker blocker(m_notes);
        m_notes->setPlainText(notes);
    }
    m_title->setText(QString::fromStdString(summary.name));
    m_facts->setText(runFacts(run));
    m_facts->setTone(summary.state == RunSummary::State::Damaged ? Tone::Error : Tone::Text2);
    m_open->setEnabled(canOpen(summary));
    m_resume->setEnabled(canResume(summary));
    m_resume->setToolTip(resumeText(summary));
    m_isSeries = summary.state == RunSummary::State::Series;
    m_remove->setEnabled(summary.state != RunSummary::State::Running && !m_isSeries);
    m_notes->setEnabled(!m_isSeries);
    explainSeries();
    m_fork->setEnabled(!m_isSeries && !m_known.empty());
    setPage(m_run);
}

void RunCard::setSnapshots(const std::vector<SnapshotRecord>& snapshots)
{
    if (snapshots == m_known && m_snapshots->count() > 0)
        return;
    const qint64 before = snapshot();
    const bool wasNewest = m_snapshots->currentIndex() <= 0;
    m_known = snapshots;
    m_snapshots->clear();
    for (auto one = snapshots.rbegin(); one != snapshots.rend(); ++one)
        m_snapshots->addItem(one->isPinned ? tr("step %1, pinned").arg(one->step)
                                           : tr("step %1").arg(one->step),
                             QVariant::fromValue<qint64>(one->step));
    if (const int index = m_snapshots->findData(before); !wasNewest && index >= 0)
        m_snapshots->setCurrentIndex(index);
    const bool has = m_snapshots->count() > 0;
    if (!has)
        m_snapshots->addItem(tr("no snapshot"), QVariant::fromValue<qint64>(-1));
    for (QWidget* widget : {static_cast<QWidget*>(m_snapshots), static_cast<QWidget*>(m_model)})
        widget->setEnabled(has);
    m_fork->setEnabled(has && !m_isSeries);
}

qint64 RunCard::snapshot() const
{
    return m_snapshots->count() > 0 ? m_snapshots->currentData().toLongLong() : -1;
}

void RunCard::showDifferences(const RunEntry& first, const RunEntry& second)
{
    keepNotes();
    m_path.clear();
    m_title->setText(tr("Differences"));
    std::vector<FactRow> rows = differenceRows(first, second);
    m_facts->setText(rows.size() == 1 ? tr("1 setting") : tr("%1 settings").arg(rows.size()));
    m_facts->setTone(Tone::Text2);
    const bool isSame = rows.empty();
    m_facts->setVisible(true);
    m_differences->setColumns(differenceColumns(first, second));
    m_differences->setRows(std::move(rows));
    setPage(isSame ? static_cast<QWidget*>(m_same) : m_differences);
}

} // namespace headscope::ui
