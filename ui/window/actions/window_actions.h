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

/// The actions of the window by the id that the table gives them, and the menus that hold them.
/// Throws Error for an id that is in no row.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    /// Shortcuts work in `window` while `bar` is hidden, too.
    WindowActions(const std::vector<ActionRow>& rows, QMenuBar& bar, QWidget& window);

    QAction& action(const QString& id) const;
    QMenu& menu(const QString& id) const;

    const QList<QAction*>& all() const { return m_all; } ///< in menu order

    /// Ids of rows that no handler was given to.
    const QSet<QString>& idle() const { return m_idle; }

    /// Calls `slot` when a command, or a switch by hand, is triggered.
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

    /// Calls `slot` with the value of the row that was chosen in the menu.
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
    QHash<QString, QStringList> m_choices; ///< ids by their menu's
    QStringList m_open;                    ///< menus that the next row is in, outermost first
    QList<QAction*> m_all;
    QSet<QString> m_idle;
};

} // namespace headscope::ui
