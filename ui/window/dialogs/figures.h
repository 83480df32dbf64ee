#pragma once

#include "ui/pages/shared/sharing/shared_page.h"

#include <QString>

#include <functional>
#include <vector>

namespace headscope::ui {

/// A figure and its name in `headscope render --view` and session files.
struct FigureEntry
{
    QString name;
    std::function<Figure(const ViewSnapshot&, const QJsonObject& options)> figure;
};

/// Figures of all pages that have one, in rail order; "grid" is an alias of "overview".
std::vector<FigureEntry> figureEntries();

/// Figure with the given name; empty for an unknown name.
Figure figureNamed(const QString& name, const ViewSnapshot& view, const QJsonObject& options);

/// A page of the rail as an HTML file to share, with its title and what it is about.
SharedPage sharedPageNamed(const QString& name, Figure figure, ViewSnapshot viewed,
                           QByteArray session);

} // namespace headscope::ui
