#pragma once

#include "core/attention/backend_registry.h"

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace headscope::ui {

/// One line of the menus. Menus, palette, shortcuts and help are all built from these rows;
/// handlers are attached with WindowActions::on().
struct ActionRow
{
    enum class Kind {
        Command,
        Switch, ///< Action that is on or off.
        Choice, ///< Action of a menu in which exactly one is on.
        Menu,   ///< Menu that contains the rows up to its End.
        End,
        Separator,
        Again, ///< Second occurrence of an earlier row's action.
    };

    Kind kind = Kind::Command;
    QString id; ///< Stable identifier, such as "file.open"; may be empty for separators.
    QString text;
    QList<QKeySequence> shortcuts;
    QVariant value; ///< Value of QAction::data().
    QString toolTip;
};

/// All rows in menu order.
std::vector<ActionRow> actionRows(const QStringList& builtinModels, const BackendRegistry& devices);

} // namespace headscope::ui
