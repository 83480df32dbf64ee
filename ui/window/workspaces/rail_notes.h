#pragma once

#include "ui/session/runs/run_shelf.h"
#include "ui/window/workspaces/pages.h"

#include <QWidget>

namespace headscope::ui {

class RailList;
class Session;
class Settings;
class TextLabel;

/// Below the pages of a workspace: in Learn the chapters with progress, in Train the last runs with
/// their loss. Hidden in Explore, and where there is nothing to list.
class RailNotes : public QWidget
{
    Q_OBJECT

public:
    RailNotes(Session& session, Settings& settings, QWidget* parent = nullptr);

    void show(Workspace workspace);
    void setCompact(bool compact); ///< compact: hidden

signals:
    void runWanted(const QString& path);

private:
    void refresh();
    void fillChapters();
    void fillRuns();
    void open(int row);

    Session& m_session;
    Settings& m_settings;
    RunShelf m_shelf;
    TextLabel* m_title;
    RailList* m_list;
    QStringList m_targets; ///< per row: a lesson's id, or a run's path
    Workspace m_workspace = Workspace::Explore;
    bool m_compact = false;
};

} // namespace headscope::ui
