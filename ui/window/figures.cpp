#include "ui/window/figures.h"

#include "ui/views/mask_figure.h"
#include "ui/views/pattern_figures.h"
#include "ui/window/pages.h"

#include <algorithm>

namespace headscope::ui {

std::vector<FigureEntry> figureEntries()
{
    std::vector<FigureEntry> entries;
    for (const PageEntry& page : pageEntries())
        if (page.figure)
            entries.push_back({page.name, page.figure});
    const auto add = [&entries](const QString& name, const auto& figure) {
        const bool isThere = std::any_of(entries.begin(), entries.end(),
                                         [&](const auto& entry) { return entry.name == name; });
        if (!isThere)
            entries.push_back({name, figure});
    };
    add("overview", gridFigure);
    add("head", headFigure);
    add("mask", maskFigure);
    const auto overview = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.name == QLatin1String("overview");
    });
    add("grid", FigureEntry(*overview).figure);
    return entries;
}

Figure figureNamed(const QString& name, const Looking& looking, const QJsonObject& options)
{
    for (const FigureEntry& entry : figureEntries())
        if (entry.name == name)
            return entry.figure(looking, options);
    return {};
}

} // namespace headscope::ui
