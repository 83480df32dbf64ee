#include "ui/pages/causal/causal_figure.h"

#include "ui/pages/causal/causal_names.h"
#include "ui/pages/causal/causal_results.h"
#include "ui/pages/causal/fact_path_content.h"
#include "ui/pages/causal/patch_content.h"
#include "ui/pages/causal/sweep_content.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 12.0;
constexpr double kScatter = 320.0;
constexpr double kSquare = 28.0;

std::vector<QImage> squares(const HeadGridContent& content, const Theme& theme)
{
    std::vector<QImage> images;
    const ColourLookup lookup({content.map, -1.0F, 1.0F, 1.0}, theme);
    for (const ThumbnailPtr& thumbnail : content.thumbnails) {
        QImage image;
        if (thumbnail) {
            image = QImage(1, 1, QImage::Format_RGB32);
            image.setPixel(0, 0, lookup.level(thumbnail->levels.front()));
        }
        images.push_back(image);
    }
    return images;
}

QSizeF sweepSize(const SweepContent& content, const Theme& theme)
{
    const QSizeF grid = headGridSize(content.grid, theme, kSquare * theme.scale());
    const double side = kScatter * theme.scale();
    return {grid.width() + 2 * kGap + side,
            std::max(grid.height() + kGap + kLegend * theme.scale(), side)};
}

void paintSweep(QPainter& painter, const QRectF& area, const SweepContent& content,
                const Theme& theme)
{
    const QSizeF grid = headGridSize(content.grid, theme, kSquare * theme.scale());
    const HeadGridLayout layout({area.topLeft(), grid}, content.grid, theme);
    paintHeadGrid(painter, layout, squares(content.grid, theme), content.grid, theme);
    paintColourBar(painter,
                   QRectF(area.left(), area.top() + grid.height() + kGap, grid.width(),
                          kLegend * theme.scale()),
                   content.legend, theme);
    const double left = area.left() + grid.width() + 2 * kGap;
    const QRectF beside(left, area.top(), area.right() - left, area.height());
    paintScatter(painter, beside, content.scatter, theme);
}

void addSweep(Figure& figure, const ViewSnapshot& view, const CausalChoice& choice,
              const AblationSweep& sweep)
{
    HeadScoreTable scores;
    const HeadScoreTables tables = scoreTrace(*view.a);
    const AttentionKind part = view.selection.part == AttentionKind::EncoderSelf
                                   ? AttentionKind::DecoderSelf
                                   : view.selection.part;
    if (const auto found = tables.find(part); found != tables.end())
        scores = found->second;
    const SweepContent content = sweepContent(view, choice, sweep, scores);
    if (content.effects.empty())
        return;
    const Replacement replacement = watchesStates(view) ? Replacement::Zero : choice.replacement;
    figure.caption =
        tr("Each head ablated in turn (%1); the %2 is %3 with all of them. %4.")
            .arg(replacementName(replacement).toLower(), metricText(view, metricFor(view, choice)),
                 number(sweep.before, 3), content.words);
    figure.size = [content](const Theme& theme) { return sweepSize(content, theme); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) { paintSweep(painter, area, content, theme); };
    NumberRows rows;
    for (const ScoreRow& row : content.rows)
        rows.add(row.name, row.values);
    figure.numbers.push_back(
        rows.table(QStringLiteral("effects"), {tr("magnitude"), tr("effect"), tr("ablated"),
                                               scoreTitle(comparedScore(choice, scores))}));
}

QSizeF mapSize(const MarkedMap& shown, const Theme& theme)
{
    const HeatmapOptions options;
    const int longer = std::max({shown.map.matrix.rows, shown.map.matrix.columns, 1});
    const double cell = std::clamp(std::floor(1200.0 / longer), 1.0, 38.0 * theme.scale());
    const QMarginsF margins = heatmapMargins(shown.map, options, theme);
    return {std::max(cell * shown.map.matrix.columns + margins.left() + margins.right(),
                     480.0 * theme.scale()),
            cell * shown.map.matrix.rows + margins.top() + margins.bottom() + kGap +
                kLegend * theme.scale()};
}

void paintMap(QPainter& painter, const QRectF& area, const MarkedMap& shown, const Theme& theme,
              const FigureTarget& target)
{
    HeatmapOptions options;
    options.cellsAsShapes = target.vectors;
    const double legend = kLegend * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, 0, -legend - kGap), shown.map, options, theme,
                               target.pixelRatio);
    const QImage image = heatmapImage(shown.map, theme, layout.imageSize());
    paintHeatmap(painter, layout, crispImage(image, target), shown.map, options, theme);
    paintMarks(painter, layout, shown.marks, theme);
    paintColourBar(painter,
                   QRectF(layout.cells().x(), area.bottom() - legend,
                          area.right() - layout.cells().x(), legend),
                   shown.legend, theme);
}

void addMap(Figure& figure, const MarkedMap& shown, const QString& name)
{
    if (shown.map.matrix.isEmpty())
        return;
    figure.size = [shown](const Theme& theme) { return mapSize(shown, theme); };
    figure.paint = [shown](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget& target) {
        paintMap(painter, area, shown, theme, target);
    };
    figure.numbers.push_back({name, shown.map.rowLabels, shown.map.columnLabels, shown.map.matrix});
}

} // namespace

Figure causalFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const CausalChoice choice = CausalChoice::fromJson(options);
    const CausalResults results =
        CausalResults::fromJson(options.value(QLatin1String("results")).toObject());
    ViewSnapshot asTrained = view;
    asTrained.shown = Variant::A;
    Figure figure = figureOf(asTrained, tr("Causal tests"));
    if (!causalProblem(view, choice).isEmpty())
        return figure;
    const QByteArray key = keyOf(causalJob(view, choice, choice.section));
    if (choice.section == CausalSection::Heads && results.sweep && results.sweep->key == key) {
        figure.title = tr("Ablated heads");
        addSweep(figure, asTrained, choice, results.sweep->sweep);
    } else if (choice.section == CausalSection::Patch && results.grid && results.grid->key == key) {
        const PatchContent content = patchContent(asTrained, choice, results.grid->grid);
        figure.title = tr("Patched: %1").arg(content.title);
        figure.caption = content.problem.isEmpty() ? content.words : content.problem;
        addMap(figure, content.shown, QStringLiteral("restored"));
    } else if (choice.section == CausalSection::Path && results.path && results.path->key == key) {
        const StepContent content = stepContent(asTrained, results.path->path, choice.step);
        figure.title = tr("Causal tracing: %1").arg(content.title);
        figure.caption = content.words;
        addMap(figure, content.shown, QStringLiteral("restored"));
    }
    return figure;
}

} // namespace headscope::ui
