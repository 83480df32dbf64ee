#pragma once

#include "ui/workers/training/run_reader.h"

#include <QStringList>
#include <QTimer>
#include <QUndoStack>

namespace headscope::ui {

/// The runs in some folders and the curves of those that are chosen, read again and again while it
/// is watched, so that runs of other processes are followed. Lives on the GUI thread and never
/// waits for a disk, but to rename a folder.
class RunShelf : public QObject
{
    Q_OBJECT

public:
    explicit RunShelf(QUndoStack& undo, QObject* parent = nullptr);
    ~RunShelf() override;

    const QStringList& folders() const { return m_folders; }

    void setFolders(const QStringList& folders);
    void addFolder(const QString& folder);
    void setWatched(bool on); ///< reads at once, and then whenever the last reading is a second old
    void refresh();

    bool isKnown() const { return m_runs != nullptr; } ///< the folders have been read once

    const std::vector<RunEntry>& runs() const;
    const RunEntry* run(const QString& path) const; ///< null where there is none

    const QStringList& chosen() const { return m_chosen; } ///< paths, in the order of choosing

    void choose(const QStringList& paths);

    const std::vector<RunSeries>& series() const; ///< of the chosen runs that have been read

    bool isSettled() const { return !m_listing && m_listed && !m_reading; }

    void setNotes(const QString& path, const QString& notes);
    void remove(const QString& path); ///< into the folder's bin; undo brings it back

signals:
    void changed(); ///< runs()
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
