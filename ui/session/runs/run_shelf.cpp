#include "ui/session/runs/run_shelf.h"

#include "ui/workers/error_sentence.h"

#include <QFileInfo>
#include <QPointer>
#include <QUndoCommand>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kAgainMs = 1000;

std::filesystem::path pathOf(const QString& path)
{
    return path.toStdString();
}

std::vector<std::filesystem::path> pathsOf(const QStringList& names)
{
    std::vector<std::filesystem::path> paths;
    for (const QString& name : names)
        paths.push_back(pathOf(name));
    return paths;
}

} // namespace

/// Deletion of a run. The run is already in the trash when the command is pushed.
class RemoveRunCommand : public QUndoCommand
{
public:
    RemoveRunCommand(RunShelf& shelf, const QString& path, std::filesystem::path trashed)
        : QUndoCommand(RunShelf::tr("delete %1").arg(QFileInfo(path).fileName()))
        , m_shelf(&shelf)
        , m_path(path)
        , m_trashed(std::move(trashed))
    {
    }

    void undo() override
    {
        attempt([this] {
            RunLibrary(pathOf(m_path).parent_path()).restore(m_trashed);
            m_trashed.clear();
        });
    }

    void redo() override
    {
        if (!m_trashed.empty())
            return; // first call
        attempt([this] {
            m_trashed = RunLibrary(pathOf(m_path).parent_path()).remove(pathOf(m_path));
        });
    }

private:
    template<class Action>
    void attempt(Action action)
    {
        try {
            action();
        } catch (const std::exception& error) {
            setObsolete(true);
            if (m_shelf)
                m_shelf->report(error);
        }
        if (m_shelf)
            m_shelf->refresh();
    }

    QPointer<RunShelf> m_shelf;
    QString m_path;
    std::filesystem::path m_trashed; ///< Path in the trash; empty while the run is in its folder.
};

RunShelf::RunShelf(QUndoStack& undo, QObject* parent) : QObject(parent), m_undo(undo)
{
    m_again.setSingleShot(true);
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, &RunShelf::refresh);
    connect(&m_reader, &RunReader::progressed, this, &RunShelf::progressed);
    connect(&m_reader, &RunReader::listed, this, [this](const RunList& runs) {
        m_listing = false;
        m_listed = true;
        m_runs = runs;
        emit changed();
        readCurves();
        if (m_watched)
            m_again.start();
    });
    connect(&m_reader, &RunReader::curvesRead, this, [this](const RunSeriesList& series) {
        m_reading = false;
        m_series = series;
        emit curvesChanged();
    });
}

void RunShelf::setFolders(const QStringList& folders)
{
    if (folders == m_folders)
        return;
    m_folders = folders;
    m_listed = false;
    if (m_watched)
        refresh();
}

void RunShelf::addFolder(const QString& folder)
{
    if (!folder.isEmpty() && !m_folders.contains(folder))
        setFolders(m_folders + QStringList{folder});
}

void RunShelf::setWatched(bool on)
{
    if (on == m_watched)
        return;
    m_watched = on;
    if (on)
        refresh();
    else
        m_again.stop();
}

void RunShelf::refresh()
{
    m_listing = true;
    m_reader.list(pathsOf(m_folders));
}

const std::vector<RunEntry>& RunShelf::runs() const
{
    static const std::vector<RunEntry> kNone;
    return m_runs ? *m_runs : kNone;
}

const RunEntry* RunShelf::run(const QString& path) const
{
    const auto wanted = pathOf(path);
    for (const RunEntry& entry : runs())
        if (entry.summary.path == wanted)
            return &entry;
    return nullptr;
}

const std::vector<RunSeries>& RunShelf::series() const
{
    static const std::vector<RunSeries> kNone;
    return m_series ? *m_series : kNone;
}

void RunShelf::choose(const QStringList& paths)
{
    if (paths == m_chosen)
        return;
    m_chosen = paths;
    readCurves();
}

void RunShelf::readCurves()
{
    m_reading = true;
    m_reader.readCurves(pathsOf(m_chosen));
}

void RunShelf::setNotes(const QString& path, const QString& notes)
{
    const RunEntry* entry = run(path);
    if (entry && entry->summary.notes == notes.toStdString())
        return;
    try {
        RunLibrary::setNotes(pathOf(path), notes.toStdString());
        refresh();
    } catch (const std::exception& error) {
        report(error);
    }
}

void RunShelf::remove(const QString& path)
{
    try {
        auto trashed = RunLibrary(pathOf(path).parent_path()).remove(pathOf(path));
        m_undo.push(new RemoveRunCommand(*this, path, std::move(trashed)));
        emit messageWanted(
            tr("Run %1 deleted. Press Ctrl+Z to restore it.").arg(QFileInfo(path).fileName()),
            false);
        refresh();
    } catch (const std::exception& error) {
        report(error);
    }
}

void RunShelf::report(const std::exception& error)
{
    emit messageWanted(errorSentence(error), true);
}

} // namespace headscope::ui
