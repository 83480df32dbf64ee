#include "ui/pages/shared/maps/map_content.h"

#include "ui/widgets/heatmap/visible_cells.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr float kSmallest = 1e-6F;
constexpr double kDecades = 4.0; // Range of a logarithmic scale.

/// Visits every visible cell; that of the sink, where it is defined, after the last column.
template<class Visit>
void visitShown(const HeatmapContent& map, Visit visit)
{
    visitVisibleCells(map, visit);
    for (std::size_t row = 0; row < map.sink.size(); ++row)
        if (!std::isnan(map.sink[row]))
            visit(static_cast<int>(row), map.matrix.columns, map.sink[row]);
}

float largestMagnitude(const HeatmapContent& map)
{
    float largest = 0.0F;
    visitShown(map, [&](int, int, float value) { largest = std::max(largest, std::abs(value)); });
    return largest;
}

std::size_t placeOf(const HeatmapContent& map, int row, int column)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(map.matrix.columns) +
           static_cast<std::size_t>(column);
}

/// Shades in 0..1 (-1..1 for signed maps); shade(row, column, value) for every visible cell.
template<class Shade>
void setShades(HeatmapContent& map, Shade shade)
{
    std::vector<float> shades(static_cast<std::size_t>(map.matrix.rows) *
                              static_cast<std::size_t>(map.matrix.columns));
    map.sinkShades = map.sink; // NaN stays
    visitShown(map, [&](int row, int column, float value) {
        float& place = column < map.matrix.columns ? shades[placeOf(map, row, column)]
                                                   : map.sinkShades[static_cast<std::size_t>(row)];
        place = shade(row, column, value);
    });
    map.shades = HeatmapMatrix::copyOf(std::move(shades), map.matrix.rows, map.matrix.columns);
}

void setRange(HeatmapContent& map, float high)
{
    map.scale = map.scale.isSigned() ? ColourScale::difference(high)
                                     : ColourScale{map.scale.map, 0.0F, high, 1.0};
}

void scalePerRow(HeatmapContent& map)
{
    std::vector<float> largest(static_cast<std::size_t>(map.matrix.rows), kSmallest);
    visitShown(map, [&](int row, int, float value) {
        float& most = largest[static_cast<std::size_t>(row)];
        most = std::max(most, std::abs(value));
    });
    setShades(map, [&](int row, int, float value) {
        return value / largest[static_cast<std::size_t>(row)];
    });
}

/// Values of 10^-4 of `largest` and less have the colour of 0.
void scaleByLog(HeatmapContent& map, float largest)
{
    setShades(map, [largest](int, int, float value) {
        const double magnitude = std::abs(double{value}) / double{largest};
        const double shade = std::clamp(1.0 + std::log10(magnitude) / kDecades, 0.0, 1.0);
        return static_cast<float>(std::copysign(shade, double{value}));
    });
}

/// Fraction of the other visible cells with a smaller magnitude. Returns the number of cells.
std::size_t scaleByRank(HeatmapContent& map)
{
    std::vector<float> sorted;
    visitShown(map, [&](int, int, float value) { sorted.push_back(std::abs(value)); });
    std::sort(sorted.begin(), sorted.end());
    const double others = std::max<double>(static_cast<double>(sorted.size()) - 1.0, 1.0);
    setShades(map, [&](int, int, float value) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), std::abs(value));
        const auto rank = static_cast<double>(place - sorted.begin());
        return static_cast<float>(std::copysign(rank / others, double{value}));
    });
    return sorted.size();
}

QString plainNumber(double value)
{
    return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

QStringList rowTicks(bool isSigned)
{
    return isSigned
               ? QStringList{tr("\u2212 largest of the row"), QStringLiteral("0"), tr("+ largest")}
               : QStringList{QStringLiteral("0"), tr("half"), tr("largest of its row")};
}

QStringList rankTicks(bool isSigned)
{
    return isSigned ? QStringList{tr("most negative"), tr("least"), tr("most positive")}
                    : QStringList{tr("smallest"), tr("median"), tr("largest")};
}

QStringList logTicks(bool isSigned, double largest)
{
    const double least = largest * std::pow(10.0, -kDecades);
    if (isSigned)
        return {plainNumber(-largest), tr("below \u00B1%1").arg(plainNumber(least)),
                QLatin1Char('+') + plainNumber(largest)};
    return {plainNumber(least), plainNumber(std::sqrt(least * largest)), plainNumber(largest)};
}

} // namespace

void applyScale(MapWithLegend& shown, MapScale scale, const QString& what, bool bounded)
{
    HeatmapContent& map = shown.map;
    const bool isSigned = map.scale.isSigned();
    const bool perHead = scale == MapScale::PerHead || (scale == MapScale::Absolute && !bounded);
    const bool toLargest = perHead || (scale == MapScale::Log && !bounded);
    const float largest = toLargest ? std::max(largestMagnitude(map), kSmallest) : 1.0F;
    setRange(map, perHead ? largest : 1.0F);
    shown.legend.warn = scale != MapScale::Absolute || perHead;
    shown.legend.title = scaleTitle(what, map.scale, perHead);
    if (scale == MapScale::PerRow) {
        scalePerRow(map);
        shown.legend.title = tr("%1, each row scaled to its own largest").arg(what);
        shown.legend.ticks = rowTicks(isSigned);
    } else if (scale == MapScale::Log) {
        scaleByLog(map, largest);
        shown.legend.title = tr("%1, logarithmic scale of %2 decades").arg(what).arg(kDecades);
        shown.legend.ticks = logTicks(isSigned, double{largest});
    } else if (scale == MapScale::Percentile) {
        const std::size_t cells = scaleByRank(map);
        shown.legend.title =
            tr("%1, rank among the %2 cells shown").arg(what, count(static_cast<long long>(cells)));
        shown.legend.ticks = rankTicks(isSigned);
    }
    shown.legend.scale = map.scale;
}

} // namespace headscope::ui
