#include "ui/pages/causal/patch_content.h"

#include "core/analysis/causal/causal_cone.h"
#include "ui/pages/causal/causal_names.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Site of a grid in the terms of the causal cone.
std::optional<Site> coneSite(PatchSite site)
{
    constexpr Site kSites[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut, Site::Z,
                               Site::Query,    Site::Key,     Site::Value,  Site::Pattern};
    if (site == PatchSite::Cell)
        return std::nullopt;
    return kSites[static_cast<int>(site)];
}

/// Causal cone of heads: all tokens change at once, so every later layer is reached.
std::vector<bool> coneOf(const ModelConfig& config, const PatchGrid& grid, HeatmapCell from)
{
    const auto site = coneSite(grid.site);
    if (!site || from.row >= grid.rows || from.column >= grid.columns)
        return {};
    std::vector<bool> cone;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const bool itself = row == from.row && column == from.column;
            cone.push_back(
                isByPosition(grid.site)
                    ? canReach(config, {*site, from.row, from.column}, {*site, row, column})
                    : itself || row > from.row);
        }
    return cone;
}

QStringList tokensOf(const ViewSnapshot& view, int count)
{
    QStringList labels = labelsOf(view.a->tokens(), view.modelA);
    while (labels.size() < count)
        labels << QString();
    return labels.mid(0, count);
}

QString cellText(const ViewSnapshot& view, const PatchGrid& grid, HeatmapCell cell)
{
    const double metric = grid.metric(cell.row, cell.column);
    const QString numbers =
        tr("metric %1, restored %2").arg(number(metric, 3), number(grid.normalised(metric), 3));
    if (grid.site == PatchSite::Cell) {
        const QStringList tokens = tokensOf(view, std::max(grid.rows, grid.columns));
        return tr("Weight from \u201C%1\u201D (token %2) to \u201C%3\u201D (token %4) patched: %5.")
            .arg(tokens[cell.row])
            .arg(cell.row)
            .arg(tokens[cell.column])
            .arg(cell.column)
            .arg(numbers);
    }
    if (!isByPosition(grid.site))
        return tr("%1 of head %2.%3 patched at all tokens: %4. Outlined: what that can reach.")
            .arg(patchSiteName(grid.site))
            .arg(cell.row)
            .arg(cell.column)
            .arg(numbers);
    return tr("%1 of layer %2 patched at \u201C%3\u201D (token %4): %5. Outlined: what that can "
              "reach.")
        .arg(patchSiteName(grid.site))
        .arg(cell.row)
        .arg(tokensOf(view, grid.columns)[cell.column])
        .arg(cell.column)
        .arg(numbers);
}

} // namespace

MarkedMap patchMap(const ViewSnapshot& view, const PatchGrid& grid)
{
    MarkedMap shown;
    std::vector<float> values;
    for (const double metric : grid.metrics)
        values.push_back(static_cast<float>(grid.normalised(metric)));
    shown.map.matrix = HeatmapMatrix::copyOf(std::move(values), grid.rows, grid.columns);
    shown.map.scale = ColourScale::difference();
    shown.map.valueName = tr("restored");
    const bool cells = grid.site == PatchSite::Cell;
    shown.map.rowsName = cells ? tr("query") : tr("layer");
    shown.map.columnsName = cells ? tr("key") : isByPosition(grid.site) ? tr("token") : tr("head");
    shown.map.rowLabels = cells ? tokensOf(view, grid.rows) : numberLabels(grid.rows);
    shown.map.columnLabels = cells || isByPosition(grid.site) ? tokensOf(view, grid.columns)
                                                              : numberLabels(grid.columns);
    shown.legend.scale = shown.map.scale;
    shown.legend.title = tr("Restored: 0 as corrupted, 1 as clean");
    return shown;
}

PatchContent patchContent(const ViewSnapshot& view, const CausalChoice& choice,
                          const PatchGrid& grid)
{
    PatchContent content;
    content.shown = patchMap(view, grid);
    content.title = patchSiteName(grid.site);
    if (std::isnan(grid.normalised(grid.clean))) {
        content.problem =
            tr("Not defined: both texts give the same metric, %1, so there is nothing to restore.")
                .arg(number(grid.clean, 3));
        return content;
    }
    const auto cell = choice.cell;
    if (!cell || !content.shown.map.matrix.contains(*cell)) {
        content.words = tr("Clean %1, corrupted %2. Select a cell.")
                            .arg(number(grid.clean, 3), number(grid.corrupted, 3));
        return content;
    }
    content.shown.map.current = cell;
    content.shown.marks = coneOf(view.modelA.model->config(), grid, *cell);
    content.words = cellText(view, grid, *cell);
    return content;
}

} // namespace headscope::ui
