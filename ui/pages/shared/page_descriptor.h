#pragma once

#include "ui/pages/shared/page.h"

#include <QStringList>

#include <functional>

namespace headscope::ui {

/// Under which name the rail and the View menu show a page.
enum class PageGroup { Explore, Model, Train, Learn };

/// All that the rail, menus, palette, help, lessons, the command line and `render` know of a page
/// before it is made. Each page describes itself; ui/window/workspaces/pages.cpp lists them.
struct PageDescriptor
{
    QString name;  ///< stable: settings, sessions, command line
    QString title; ///< translated, like `help` and `whyModel`
    PageGroup group = PageGroup::Explore;
    const char* icon = "";  ///< see iconPixmap()
    QString help = {};      ///< What's This
    QStringList terms = {}; ///< what its lesson is about, the nearest word first
    std::function<Page*(Session&)> make = {};
    /// The same picture without a window, for `headscope render --view name`; may be empty.
    std::function<Figure(const Looking&, const QJsonObject& options)> figure = {};
    QString whyModel = {}; ///< what a captured trace lacks for it; empty where it is enough
};

template<class View>
Page* makePage(Session& session)
{
    return new View(session);
}

} // namespace headscope::ui
