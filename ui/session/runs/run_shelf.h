#pragma once

#include "ui/workers/training/run_reader.h"

#include <QStringList>
#include <QTimer>
#include <QUndoStack>

namespace headscope::ui {

/// Runs in a set of folders and the curves of the selected ones, re-read while watched, so that
/// runs of other processes are followed. Lives on the GUI thread and never waits for a disk, except
/// to rename a folder.
class RunShelf : public QObject
{
    Q_OBJECT

public:
    explicit RunShelf(QUndoStack& undo, QObject* parent = nullptr);

    const QStringList& folders() const { return m_folders; }

    void setFolders(const QStringList& folders);
    void addFolder(const QString& folder);
    /// Reads at once, and again whenever the last reading is a second old.
    void setWatched(bool on);
    void refresh();

    bool isKnown() const { return m_runs != nullptr; } ///< True once the folders have been read.

    const std::vector<RunEntry>& runs() const;
    const RunEntry* run(const QString& path) const; ///< Entry of a run; null where there is none.

    /// Paths of the selected runs, in the order of selection.
    const QStringList& chosen() const { return m_chosen; }

    void choose(const QStringList& paths);

    /// Curves of the selected runs that have been read.
    const std::vector<RunSeries>& series() const;

    bool isSettled() const { return !m_listing && m_listed && !m_reading; }

    void setNotes(const QString& path, const QString& notes);
    void remove(const QString& path); ///< Moves a run to its folder's trash; undo restores it.

signals:
    void changed(); ///< Emitted when runs() has changed.
    void curvesChanged();
    void progressed(int done, int of);
    void messageWanted(const QString& sentence, bool isError);

private:
    friend class RemoveRunCommand;

    void readCurves();
    void report(const std::exception& error);

    QUndoStack& m_undo;
    QStringList m_folders;
    QStringList m_chosen;
    RunList m_runs;
    RunSeriesList m_series;
    QTimer m_again;
    bool m_watched = false;
    bool m_listing = false;
    bool m_listed = false;
    bool m_reading = false;
    RunReader m_reader;
};

} // namespace headscope::ui
