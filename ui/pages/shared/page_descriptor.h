#pragma once

#include "ui/pages/shared/page.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace headscope::ui {

/// The heading of the rail under which a page appears; see workspaceOf() for its workspace.
enum class PageGroup { Look, Find, Change, Inside, Course, Runs };

/// Everything that the rail, menus, palette, help, lessons, the command line and `render` know of a
/// page before it exists. Each page describes itself; ui/window/workspaces/pages.cpp lists them.
struct PageDescriptor
{
    QString name;     ///< stable: settings, sessions, command line
    QString title;    ///< translated, like `question`, `mode`, `help` and `whyModel`
    QString question; ///< the one question that the page answers
    PageGroup group = PageGroup::Look;
    QString mode = {};      ///< Label on the switch of a ModePage
    const char* icon = "";  ///< see iconPixmap()
    QString help = {};      ///< What's This
    QStringList terms = {}; ///< subjects of its lesson, the nearest word first
    std::function<Page*(Session&)> make = {};
    /// The same image without a window, for `headscope render --view name`; may be empty.
    std::function<Figure(const ViewSnapshot&, const QJsonObject& options)> figure = {};
    QString whyModel = {}; ///< What a captured trace lacks for it; empty where it is enough
    std::vector<PageDescriptor> modes =
        {}; ///< Modes of a ModePage; the first has the page's own name
};

template<class View>
Page* makePage(Session& session)
{
    return new View(session);
}

} // namespace headscope::ui
