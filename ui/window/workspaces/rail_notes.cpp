#include "ui/window/workspaces/rail_notes.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/runs/training.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/readable.h"
#include "ui/window/workspaces/rail_list.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr std::size_t kMostRuns = 5;

/// The newest first.
std::vector<RunEntry> lastRuns(std::vector<RunEntry> runs)
{
    std::ranges::sort(runs, [](const RunEntry& a, const RunEntry& b) {
        return a.summary.started > b.summary.started;
    });
    runs.resize(std::min(runs.size(), kMostRuns));
    return runs;
}

/// About one value per pixel of the line.
std::vector<double> lossCurve(const std::vector<RunSeries>& series,
                              const std::filesystem::path& run)
{
    constexpr std::size_t kPoints = 100;
    std::vector<double> losses;
    for (const RunSeries& one : series) {
        if (one.path != run)
            continue;
        for (const LogLine& line : one.curves.lines) {
            if (std::isfinite(line.loss))
                losses.push_back(line.loss);
        }
    }
    if (losses.size() <= kPoints)
        return losses;
    std::vector<double> curve;
    for (std::size_t point = 0; point < kPoints; ++point)
        curve.push_back(losses[point * (losses.size() - 1) / (kPoints - 1)]);
    return curve;
}

} // namespace

RailNotes::RailNotes(Session& session, Settings& settings, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_settings(settings)
    , m_shelf(session.document().undoStack())
    , m_title(caption({}, this))
    , m_list(new RailList(tr("In this workspace"), this))
{
    m_title->setContentsMargins(16, 4, 0, 2);
    columnOf(0, {new Hairline(Qt::Horizontal, this), m_title, {m_list, 1}}, this);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    makeReadable(*this, QAccessible::Grouping);
    connect(m_list, &RailList::opened, this, &RailNotes::open);
    LessonRun& lessons = lessonsOf(session);
    connect(&lessons, &LessonRun::progressChanged, this, &RailNotes::refresh);
    connect(&lessons, &LessonRun::libraryChanged, this, &RailNotes::refresh);
    connect(&m_shelf, &RunShelf::changed, this, &RailNotes::refresh);
    connect(&m_shelf, &RunShelf::curvesChanged, this, &RailNotes::refresh);
    refresh();
}

void RailNotes::show(Workspace workspace)
{
    m_workspace = workspace;
    const bool isTrain = workspace == Workspace::Train;
    if (isTrain) {
        const auto& own = m_session.training().library().folder();
        m_shelf.setFolders(QStringList{QString::fromStdString(own.string())} +
                           m_settings.value(Setting::RunFolders).toStringList());
    }
    m_shelf.setWatched(isTrain);
    refresh();
}

void RailNotes::setCompact(bool compact)
{
    m_compact = compact;
    refresh();
}

void RailNotes::refresh()
{
    m_targets.clear();
    if (m_workspace == Workspace::Learn)
        fillChapters();
    else if (m_workspace == Workspace::Train)
        fillRuns();
    setVisible(!m_targets.isEmpty() && !m_compact);
}

void RailNotes::fillChapters()
{
    const LessonRun& lessons = lessonsOf(m_session);
    std::vector<RailRow> rows;
    for (const Course::Chapter& chapter : lessons.library().course().chapters) {
        const auto isDone = [&lessons](const std::string& id) {
            const int steps = static_cast<int>(lessons.library().lesson(id).steps.size());
            return lessons.progress().seen(id, steps) >= steps;
        };
        if (chapter.lessons.empty())
            continue;
        const auto all = static_cast<int>(chapter.lessons.size());
        const auto done = static_cast<int>(std::ranges::count_if(chapter.lessons, isDone));
        const auto next = std::ranges::find_if_not(chapter.lessons, isDone);
        const std::string& id = next == chapter.lessons.end() ? chapter.lessons.front() : *next;
        RailRow row;
        row.title = QString::fromStdString(chapter.title);
        row.detail = tr("%1/%2").arg(done).arg(all);
        row.words = tr("%1: %2 of %3 lessons done. Next: %4")
                        .arg(row.title)
                        .arg(done)
                        .arg(all)
                        .arg(QString::fromStdString(lessons.library().lesson(id).title));
        row.fraction = static_cast<double>(done) / all;
        rows.push_back(std::move(row));
        m_targets << QString::fromStdString(id);
    }
    m_title->setText(tr("Chapters"));
    m_list->setRows(std::move(rows));
}

void RailNotes::fillRuns()
{
    std::vector<RailRow> rows;
    for (const RunEntry& run : lastRuns(m_shelf.runs())) {
        const RunSummary& summary = run.summary;
        RailRow row;
        row.title = QString::fromStdString(summary.name);
        row.detail = summary.loss ? QString::number(*summary.loss, 'f', 2) : QString();
        row.words = tr("%1: step %2 of %3, loss %4")
                        .arg(row.title)
                        .arg(summary.step)
                        .arg(summary.steps)
                        .arg(row.detail);
        row.curve = lossCurve(m_shelf.series(), summary.path);
        if (summary.state == RunSummary::State::Running && summary.steps > 0)
            row.fraction = static_cast<double>(summary.step) / static_cast<double>(summary.steps);
        rows.push_back(std::move(row));
        m_targets << QString::fromStdString(summary.path.string());
    }
    if (m_shelf.chosen() != m_targets)
        m_shelf.choose(m_targets);
    m_title->setText(tr("Last runs"));
    m_list->setRows(std::move(rows));
}

void RailNotes::open(int row)
{
    const QString target = m_targets.value(row);
    if (m_workspace == Workspace::Learn)
        lessonsOf(m_session).start(target.toStdString());
    else
        emit runWanted(target);
}

} // namespace headscope::ui
