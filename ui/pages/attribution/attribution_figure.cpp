#include "ui/pages/attribution/attribution_figure.h"

#include "ui/pages/attribution/attribution_content.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr std::size_t kMostBars = 24;
constexpr double kWidth = 900.0;
constexpr double kBarsWidth = 380.0;
constexpr double kGap = 32.0;
constexpr double kMapRow = 24.0;
constexpr double kLegend = 52.0;
constexpr double kCourse = 180.0;

std::vector<Bar> figureBars(const AttributionContent& content)
{
    std::vector<Bar> bars;
    for (const AttributionRow& row : content.rows) {
        if (bars.size() == kMostBars)
            break;
        Bar bar;
        bar.label = row.label;
        bar.value = row.value;
        bar.words = signedNumber(row.value, 3);
        bar.role = row.part.kind == LogitPartKind::Head  ? Role::Accent
                   : row.part.kind == LogitPartKind::Mlp ? Role::Value
                                                         : Role::Plain;
        bars.push_back(bar);
    }
    return bars;
}

double mapHeight(const AttributionContent& content, const Theme& theme)
{
    return kMapRow * theme.scale() * (content.map.matrix.rows + 2);
}

void paintSide(QPainter& painter, QRectF area, const AttributionContent& content,
               const Theme& theme, const FigureTarget& target)
{
    HeatmapOptions options;
    options.corner = false;
    options.square = false;
    options.decimals = 1;
    options.cellsAsShapes = target.vectors;
    const QRectF place(area.x(), area.y(), area.width(), mapHeight(content, theme));
    const HeatmapLayout layout(place, content.map, options, theme, target.pixelRatio);
    paintHeatmap(painter, layout,
                 crispImage(heatmapImage(content.map, theme, layout.imageSize()), target),
                 content.map, options, theme);
    ColourBarContent legend;
    legend.scale = content.map.scale;
    legend.title = tr("Contribution to the logit, scaled to the largest shown");
    const double scale = theme.scale();
    const QRectF below(area.x(), place.bottom() + 12.0 * scale, area.width(), kLegend * scale);
    paintColourBar(painter, below, legend, theme);
    const QRectF chart(area.x(), below.bottom() + 12.0 * scale, area.width(), kCourse * scale);
    paintLineChart(painter, chart, content.course, theme);
}

NumberTable partsTable(const AttributionContent& content)
{
    NumberRows rows;
    for (const AttributionRow& row : content.rows)
        rows.add(row.label, {row.value});
    return rows.table(QStringLiteral("parts"), {tr("logit")});
}

NumberTable sourcesTable(const AttributionContent& content)
{
    NumberRows rows;
    for (const Bar& bar : content.sources)
        rows.add(bar.label, {bar.value});
    return rows.table(QStringLiteral("sources"), {tr("logit")});
}

QString captionOf(const AttributionContent& content)
{
    QString words = tr("Direct logit attribution, all norms frozen. %1: %2 contributions sum to "
                       "%3 (the model's logit: %4).")
                        .arg(content.target)
                        .arg(content.rows.size())
                        .arg(number(content.sum, 4), number(content.logit, 4));
    if (content.isSigned)
        words += QLatin1Char(' ') + tr("Differences B\u2212A.");
    if (content.rows.size() > kMostBars)
        words += QLatin1Char(' ') + tr("The first %1 are drawn as bars.").arg(kMostBars);
    return words;
}

} // namespace

Figure attributionFigure(const ViewSnapshot& view, const QJsonObject& json)
{
    Figure figure = figureOf(view, tr("Logit attribution"));
    const AttributionOptions options = AttributionOptions::fromJson(json);
    const auto content = std::make_shared<const AttributionContent>(attributionContent(
        view, options, attributionParts(view, options), attributionInputs(view, options)));
    if (content->rows.empty())
        return figure;
    figure.caption = captionOf(*content);
    const std::vector<Bar> bars = figureBars(*content);
    figure.size = [content, bars](const Theme& theme) {
        const double side = mapHeight(*content, theme) + (kLegend + kCourse + 24.0) * theme.scale();
        return QSizeF(kWidth * theme.scale(), std::max(barsHeight(bars, theme), side));
    };
    figure.paint = [content, bars](QPainter& painter, const QRectF& area, const Theme& theme,
                                   const FigureTarget& target) {
        const double width = kBarsWidth * theme.scale();
        paintBars(painter, QRectF(area.x(), area.y(), width, area.height()), bars, {}, theme);
        if (!content->map.matrix.isEmpty())
            paintSide(painter, area.adjusted(width + kGap * theme.scale(), 0, 0, 0), *content,
                      theme, target);
    };
    figure.numbers.push_back(partsTable(*content));
    if (!content->sources.empty())
        figure.numbers.push_back(sourcesTable(*content));
    if (!content->inputs.matrix.isEmpty())
        figure.numbers.push_back({QStringLiteral("inputs"), content->inputs.rowLabels,
                                  content->inputs.columnLabels, content->inputs.matrix});
    return figure;
}

} // namespace headscope::ui
