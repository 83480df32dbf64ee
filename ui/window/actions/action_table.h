#pragma once

#include "core/attention/backend_registry.h"

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace headscope::ui {

/// One line of the menus. A row of an action is all that menus, palette, shortcuts and help know of
/// it; what it does is said by WindowActions::on().
struct ActionRow
{
    enum class Kind {
        Command,
        Switch, ///< on or off
        Choice, ///< one of its menu is on
        Menu,   ///< holds the rows up to its End
        End,
        Separator,
        Again, ///< the action of an earlier row once more
    };

    Kind kind = Kind::Command;
    QString id; ///< stable: "file.open"; may be empty for separators
    QString text;
    QList<QKeySequence> shortcuts;
    QVariant value; ///< QAction::data()
    QString toolTip;
};

/// All rows in the order of the menus.
std::vector<ActionRow> actionRows(const QStringList& builtinModels, const BackendRegistry& devices);

} // namespace headscope::ui
