#pragma once

#include "ui/pages/shared/sharing/shared_page.h"

#include <QString>

#include <functional>
#include <vector>

namespace headscope::ui {

/// A picture by the name that `headscope render --view` and session files know it by.
struct FigureEntry
{
    QString name;
    std::function<Figure(const Looking&, const QJsonObject& options)> figure;
};

/// Of every page that has one, in the order of the rail; "grid" is another name of "overview".
std::vector<FigureEntry> figureEntries();

/// The one of that name; empty for an unknown one.
Figure figureNamed(const QString& name, const Looking& looking, const QJsonObject& options);

/// A page of the rail as an HTML file to share, with its title and what it is about.
SharedPage sharedPageNamed(const QString& name, Figure figure, Looking looking, QByteArray session);

} // namespace headscope::ui
