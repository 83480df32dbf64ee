#pragma once

#include "ui/views/figure.h"

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

/// Of every page that has one, and those that belong to no page of their own.
std::vector<FigureEntry> figureEntries();

/// The one of that name; "grid" and "overview" are the same. Empty for an unknown name.
Figure figureNamed(const QString& name, const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
