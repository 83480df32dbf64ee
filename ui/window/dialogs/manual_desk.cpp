#include "ui/window/dialogs/manual_desk.h"

#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/manual_dialog.h"
#include "ui/window/frame/main_window.h"

#include <QAction>

#include <utility>

namespace headscope::ui {

ManualDesk::ManualDesk(MainWindow& window, WindowActions& actions)
    : QObject(&window)
    , m_window(window)
    , m_actions{&actions.action("help.manual"), &actions.action("help.page")}
{
    actions.on("help.manual", this, [this] { open(); });
    actions.on("help.page", this, &ManualDesk::openPage);
    setManual({});
}

void ManualDesk::setManual(std::shared_ptr<const Manual> manual)
{
    m_manual = std::move(manual);
    for (QAction* action : m_actions)
        action->setEnabled(m_manual && !m_manual->pages().empty());
}

void ManualDesk::open(const QString& topic)
{
    if (!m_manual)
        return;
    auto* dialog = m_window.findChild<ManualDialog*>();
    if (!dialog) {
        dialog = new ManualDialog(m_manual, &m_window);
        connect(dialog, &ManualDialog::linkActivated, this, &ManualDesk::linkActivated);
        connect(dialog, &ManualDialog::pageShown, this,
                [this](const QString& name) { m_last = name; });
    }
    dialog->showPage(topic.isEmpty() ? m_last : topic);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void ManualDesk::openPage()
{
    open(m_window.page());
}

void ManualDesk::addEntries(std::vector<PaletteEntry>& entries)
{
    if (!m_manual)
        return;
    for (const ManualPage& page : m_manual->pages()) {
        const QString name = QString::fromStdString(page.name);
        entries.push_back({tr("manual: %1").arg(QString::fromStdString(page.title)),
                           {},
                           [this, name] { open(name); }});
    }
}

} // namespace headscope::ui
