#pragma once

#include <QObject>

namespace headscope::ui {

class WindowActions;
class Workspaces;

/// Ways to workspaces and pages. Alt+1 to Alt+9 belong to the pages of the workspace in front.
class PageActions : public QObject
{
    Q_OBJECT

public:
    PageActions(WindowActions& actions, Workspaces& workspaces);

private:
    void refreshShortcuts();

    WindowActions& m_actions;
    Workspaces& m_workspaces;
};

} // namespace headscope::ui
