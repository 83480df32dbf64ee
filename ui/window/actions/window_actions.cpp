#include "ui/window/actions/window_actions.h"

#include "core/base/error.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace headscope::ui {

WindowActions::WindowActions(const std::vector<ActionRow>& rows, QMenuBar& bar, QWidget& window)
    : QObject(&window)
    , m_window(window)
{
    for (const ActionRow& row : rows)
        add(row, bar);
}

void WindowActions::add(const ActionRow& row, QMenuBar& bar)
{
    switch (row.kind) {
    case ActionRow::Kind::Menu:
        return addMenu(row, bar);
    case ActionRow::Kind::End:
        return m_open.removeLast();
    case ActionRow::Kind::Separator:
        m_actions.insert(row.id, menu(m_open.back()).addSeparator());
        return;
    case ActionRow::Kind::Again:
        return menu(m_open.back()).addAction(&action(row.id));
    case ActionRow::Kind::Command:
    case ActionRow::Kind::Switch:
    case ActionRow::Kind::Choice:
        return addAction(row);
    }
}

void WindowActions::addMenu(const ActionRow& row, QMenuBar& bar)
{
    QMenu* added = m_open.isEmpty() ? bar.addMenu(row.text) : menu(m_open.back()).addMenu(row.text);
    m_menus.insert(row.id, added);
    m_open << row.id;
}

void WindowActions::addAction(const ActionRow& row)
{
    QMenu& parent = menu(m_open.back());
    QAction* added = parent.addAction(row.text);
    added->setObjectName(row.id);
    added->setShortcuts(row.shortcuts);
    added->setCheckable(row.kind != ActionRow::Kind::Command);
    added->setData(row.value);
    if (row.kind == ActionRow::Kind::Choice) {
        auto* group = parent.findChild<QActionGroup*>({}, Qt::FindDirectChildrenOnly);
        (group ? group : new QActionGroup(&parent))->addAction(added);
        added->setProperty("group", parent.title()); // prefix in the palette
        added->setToolTip(row.toolTip);
        m_choices[m_open.back()] << row.id;
    }
    m_window.addAction(added); // shortcuts also work while the menu bar is hidden
    m_actions.insert(row.id, added);
    m_all << added;
    m_idle << row.id;
}

QAction& WindowActions::action(const QString& id) const
{
    if (QAction* found = m_actions.value(id))
        return *found;
    throw Error("no such action", id.toStdString());
}

QMenu& WindowActions::menu(const QString& id) const
{
    if (QMenu* found = m_menus.value(id))
        return *found;
    throw Error("no such menu", id.toStdString());
}

QAction& WindowActions::used(const QString& id)
{
    m_idle.remove(id);
    return action(id);
}

void WindowActions::setChosen(const QString& menu, const QVariant& value)
{
    for (const QString& id : m_choices.value(menu))
        action(id).setChecked(action(id).data() == value);
}

} // namespace headscope::ui
