#include "ui/window/actions/page_actions.h"

#include "ui/window/actions/window_actions.h"
#include "ui/window/workspaces/workspaces.h"

namespace headscope::ui {

PageActions::PageActions(WindowActions& actions, Workspaces& workspaces)
    : QObject(&actions)
    , m_actions(actions)
    , m_workspaces(workspaces)
{
    for (const PageDescriptor& page : workspaces.descriptors())
        actions.on("page." + page.name, this,
                   [this, name = page.name] { m_workspaces.goTo(name); });
    for (const Workspace workspace : kWorkspaces)
        actions.on("workspace." + workspaceId(workspace), this,
                   [this, workspace] { m_workspaces.showWorkspace(workspace); });
    actions.on("go.lastPlace", &workspaces, &Workspaces::showPrevious);
    connect(&workspaces, &Workspaces::workspaceChanged, this, &PageActions::refreshShortcuts);
}

void PageActions::refreshShortcuts()
{
    const Workspace now = m_workspaces.workspace();
    int number = 0;
    for (const PageDescriptor& page : m_workspaces.descriptors()) {
        const bool isHere = workspaceOf(page.group) == now;
        const QString keys = isHere ? pageShortcut(number++) : QString();
        m_actions.action("page." + page.name).setShortcut(QKeySequence(keys));
    }
}

} // namespace headscope::ui
