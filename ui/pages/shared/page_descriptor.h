#pragma once

#include "ui/pages/shared/page.h"

#include <QStringList>

#include <functional>

namespace headscope::ui {

/// Group of pages in the rail and the View menu.
enum class PageGroup { Explore, Model, Train, Learn };

/// Description of a page that the rail, menus, palette, help, lessons, the command line and
/// `render` use before it is created. Each page describes itself; ui/window/workspaces/pages.cpp
/// lists them.
struct PageDescriptor
{
    QString name;  ///< Stable id: settings, sessions, command line.
    QString title; ///< Title, translated like `help` and `whyModel`.
    PageGroup group = PageGroup::Explore;
    const char* icon = "";  ///< Drawing for iconPixmap().
    QString help = {};      ///< What's This text.
    QStringList terms = {}; ///< Terms that its lesson explains, most relevant first.
    std::function<Page*(Session&)> make = {};
    /// Figure without a window, for `headscope render --view name`; may be empty.
    std::function<Figure(const ViewSnapshot&, const QJsonObject& options)> figure = {};
    QString whyModel = {}; ///< Why a captured trace is not enough; empty where it is.
};

template<class View>
Page* makePage(Session& session)
{
    return new View(session);
}

} // namespace headscope::ui
