#pragma once

#include "ui/window/actions/action_table.h"

#include <QAction>
#include <QHash>
#include <QObject>
#include <QSet>

#include <utility>

class QMenu;
class QMenuBar;
class QWidget;

namespace headscope::ui {

/// Actions of the window by the ids of the action table, and the menus that contain them. Throws
/// Error for an unknown id.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    /// Adds every action to `window`, so that shortcuts also work while `bar` is hidden.
    WindowActions(const std::vector<ActionRow>& rows, QMenuBar& bar, QWidget& window);

    QAction& action(const QString& id) const;
    QMenu& menu(const QString& id) const;

    const QList<QAction*>& all() const { return m_all; } ///< All actions in menu order.

    /// Ids of rows without a handler.
    const QSet<QString>& idle() const { return m_idle; }

    /// Calls `slot` when a command is triggered, or when a switch is triggered by the user.
    template<class Receiver, class Slot>
    void on(const QString& id, Receiver* receiver, Slot slot)
    {
        connect(&used(id), &QAction::triggered, receiver, std::move(slot));
    }

    /// Calls `slot` whenever a switch changes.
    template<class Receiver, class Slot>
    void onToggled(const QString& id, Receiver* receiver, Slot slot)
    {
        connect(&used(id), &QAction::toggled, receiver, std::move(slot));
    }

    /// Calls `slot` with the value of the row chosen in the menu.
    template<class Receiver, class Slot>
    void onChoice(const QString& menu, Receiver* receiver, Slot slot)
    {
        for (const QString& id : m_choices.value(menu)) {
            QAction& action = used(id);
            connect(&action, &QAction::triggered, receiver,
                    [&action, slot] { slot(action.data()); });
        }
    }

    void setChosen(const QString& menu, const QVariant& value);

private:
    void add(const ActionRow& row, QMenuBar& bar);
    void addMenu(const ActionRow& row, QMenuBar& bar);
    void addAction(const ActionRow& row);
    QAction& used(const QString& id);

    QWidget& m_window;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMenu*> m_menus;
    QHash<QString, QStringList> m_choices; ///< Ids of the choices, by the id of their menu.
    QStringList m_open;                    ///< Menus that contain the next row, outermost first.
    QList<QAction*> m_all;
    QSet<QString> m_idle;
};

} // namespace headscope::ui
