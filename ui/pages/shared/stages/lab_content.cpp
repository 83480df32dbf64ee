#include "ui/pages/shared/stages/lab_content.h"

#include "ui/widgets/text/string_list.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

constexpr double kLargestCell = 56.0;
constexpr int kCellPadding = 28;

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

/// Decimals needed to tell all x apart, at most four.
int decimalsOfX(const LabChart& chart, double range)
{
    constexpr int kMost = 4;
    for (int decimals = 0; decimals < kMost; ++decimals) {
        const double unit = std::pow(10.0, decimals);
        const auto isWhole = [unit, range](double x) {
            return std::abs(x * unit - std::round(x * unit)) < 1e-6 * std::max(1.0, range * unit);
        };
        const bool all = std::ranges::all_of(chart.series, [&](const LabChart::Series& series) {
            return std::ranges::all_of(series.x, isWhole);
        });
        if (all)
            return decimals;
    }
    return kMost;
}

ChartAxis axisOfX(const LabChart& chart)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const LabChart::Series& series : chart.series) {
        for (const double x : series.x) {
            if (!std::isfinite(x) || (chart.isLogX && x <= 0.0))
                continue;
            low = std::min(low, x);
            high = std::max(high, x);
        }
    }
    if (low > high)
        return {chart.isLogX ? 0.1 : 0.0, 1.0, chart.isLogX};
    if (low == high)
        return chart.isLogX ? ChartAxis{low / 2.0, low * 2.0, true}
                            : ChartAxis{low - 0.5, low + 0.5, false};
    return {low, high, chart.isLogX};
}

LineChartCurve curveOf(const LabChart& chart, std::size_t index)
{
    const LabChart::Series& series = chart.series[index];
    LineChartCurve curve;
    curve.name = fromText(series.name);
    curve.tone =
        chart.series.size() == 1 ? LineChartCurve::Tone::Subject : LineChartCurve::Tone::Head;
    curve.slot = static_cast<int>(index);
    curve.dashed = series.isDashed;
    for (std::size_t at = 0; at < std::min(series.x.size(), series.y.size()); ++at) {
        const bool isDrawn = !chart.isLogY || series.y[at] > 0.0;
        curve.points.emplace_back(series.x[at], isDrawn ? series.y[at]
                                                        : std::numeric_limits<double>::quiet_NaN());
    }
    return curve;
}

bool isNumberText(const std::string& text)
{
    static const std::string kSigns = "+-.<~\u2212\u00D7";
    const std::size_t first = text.starts_with('(') ? 1 : 0; // "(3)" is a number too
    return first < text.size() && (std::isdigit(static_cast<unsigned char>(text[first])) != 0 ||
                                   kSigns.find(text[first]) != std::string::npos);
}

/// True for a column in which most texts start like numbers.
bool isNumberColumn(const LabTable& table, std::size_t column)
{
    const auto numbers = std::ranges::count_if(table.rows, [column](const auto& row) {
        return column < row.size() && isNumberText(row[column]);
    });
    return column > 0 && 2 * numbers > static_cast<std::ptrdiff_t>(table.rows.size());
}

/// Text without trailing zeros: "0.5" of "0.500".
QString withoutZeros(QString text)
{
    while (text.contains(QLatin1Char('.')) && text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

} // namespace

// -------------------------------------------------------------------------------------- charts

LineChartContent chartContent(const LabChart& chart, const Theme& theme)
{
    constexpr double kSquareAndEdges = 30.0;
    LineChartContent content;
    content.title = fromText(chart.y);
    content.unit = fromText(chart.x);
    content.unitBelow = content.unit;
    content.numbersBelow = true;
    content.decimals = -1;
    for (std::size_t index = 0; index < chart.series.size(); ++index)
        content.curves.push_back(curveOf(chart, index));
    content.x = axisOfX(chart);
    content.y = axisOf(content.curves, chart.isLogY);
    content.unitDecimals = decimalsOfX(chart, content.x.high - content.x.low);
    if (chart.mark)
        content.marks.push_back({*chart.mark, fromText(chart.markText), false});
    double widest = 0.0;
    const QFontMetricsF metrics(theme.bold(TextRole::Body));
    for (const LineChartCurve& curve : content.curves)
        widest = std::max(widest, metrics.horizontalAdvance(curve.name));
    content.rightRoom = std::min(widest, 180.0 * theme.scale()) + kSquareAndEdges;
    return content;
}

// ---------------------------------------------------------------------------------------- bars

std::vector<Bar> barsContent(const LabBars& bars)
{
    constexpr double kReadable = 0.01; // Smallest with three decimals.
    const bool areSmall = std::ranges::all_of(
        bars.bars, [](const LabBars::Bar& bar) { return std::abs(bar.value) < kReadable; });
    const QString unit = barsOptions(bars).unit;
    std::vector<Bar> all;
    for (const LabBars::Bar& bar : bars.bars) {
        Bar one;
        one.label = fromText(bar.label);
        one.value = bar.value;
        one.words = !bar.words.empty()          ? fromText(bar.words)
                    : !std::isfinite(bar.value) ? tr("not finite")
                    : areSmall                  ? shortNumber(bar.value, 3) + unit
                                                : QString();
        one.subject = bar.isSubject;
        one.role = bar.isSubject ? Role::Accent : Role::Plain;
        all.push_back(one);
    }
    return all;
}

BarsOptions barsOptions(const LabBars& bars)
{
    BarsOptions options;
    if (!bars.unit.empty())
        options.unit = QLatin1Char(' ') + fromText(bars.unit);
    return options;
}

// -------------------------------------------------------------------------------------- matrix

HeatmapContent matrixContent(const LabMatrix& matrix)
{
    HeatmapContent content;
    const auto rows = static_cast<int>(matrix.rowLabels.size());
    const auto columns = static_cast<int>(matrix.columnLabels.size());
    content.matrix = HeatmapMatrix::copyOf(
        std::vector<float>(matrix.values.begin(), matrix.values.end()), rows, columns);
    if (matrix.isSigned) {
        const double range = std::max(std::abs(matrix.low), std::abs(matrix.high));
        content.scale = ColourScale::difference(static_cast<float>(range));
    } else {
        content.scale.low = static_cast<float>(matrix.low);
        content.scale.high = static_cast<float>(matrix.high);
    }
    if (!matrix.masked.empty()) {
        auto allowed = std::make_shared<std::vector<std::uint8_t>>();
        for (const bool isMasked : matrix.masked)
            allowed->push_back(isMasked ? 0 : 1);
        content.mask = {HeatmapMask::Kind::Cells, 0, allowed};
    }
    content.rowLabels = stringList(matrix.rowLabels);
    content.columnLabels = stringList(matrix.columnLabels);
    content.valueName = tr("value");
    content.rowsName = fromText(matrix.rows);
    content.columnsName = fromText(matrix.columns);
    return content;
}

HeatmapOptions matrixOptions(const LabMatrix& matrix)
{
    HeatmapOptions options;
    options.numbers = matrix.decimals >= 0;
    if (matrix.decimals >= 0)
        options.decimals = matrix.decimals;
    options.largestCell = kLargestCell;
    options.corner = !matrix.rows.empty() || !matrix.columns.empty();
    return options;
}

ColourBarContent matrixLegend(const LabMatrix& matrix)
{
    const HeatmapContent content = matrixContent(matrix);
    ColourBarContent legend;
    legend.scale = content.scale;
    const bool isSigned = matrix.isSigned;
    const auto words = [isSigned](double value) {
        return (isSigned && value > 0.0 ? QStringLiteral("+") : QString()) + shortNumber(value, 3);
    };
    const double low = content.scale.low;
    const double high = content.scale.high;
    legend.title = tr("Colours from %1 to %2").arg(words(low), words(high));
    legend.ticks = {words(low), words((low + high) / 2.0), words(high)};
    if (std::ranges::find(matrix.masked, true) != matrix.masked.end())
        legend.swatch = tr("hidden");
    return legend;
}

// --------------------------------------------------------------------------------------- table

std::vector<FactColumn> tableColumns(const LabTable& table, const Theme& theme)
{
    const QFontMetricsF heads(theme.bold(TextRole::Body));
    const QFontMetricsF cells(theme.bold(TextRole::Table));
    std::vector<FactColumn> columns;
    for (std::size_t index = 0; index < table.columns.size(); ++index) {
        FactColumn column;
        column.title = fromText(table.columns[index]);
        double width = heads.horizontalAdvance(column.title);
        for (const auto& row : table.rows)
            if (index < row.size())
                width = std::max(width, cells.horizontalAdvance(fromText(row[index])));
        column.width = static_cast<int>(std::ceil(width / theme.scale())) + kCellPadding;
        column.isNumber = isNumberColumn(table, index);
        column.toolTip = column.title;
        columns.push_back(column);
    }
    if (!columns.empty())
        columns.front().stretches = true;
    return columns;
}

std::vector<FactRow> tableRows(const LabTable& table)
{
    std::vector<FactRow> rows;
    for (const auto& row : table.rows) {
        FactRow one;
        one.id = QString::number(rows.size());
        one.texts = stringList(row);
        one.texts.resize(static_cast<qsizetype>(table.columns.size()));
        one.toolTip = stringList(row).join(QStringLiteral(" \u00B7 "));
        rows.push_back(one);
    }
    return rows;
}

// ------------------------------------------------------------------------------------- numbers

QString shortNumber(double value, int digits)
{
    if (!std::isfinite(value))
        return tr("not finite");
    const double size = std::abs(value);
    constexpr double kWholeUpTo = 1e15;
    if (size == std::floor(size) && size < kWholeUpTo)
        return count(std::llround(value));
    if (size >= kWholeUpTo || size < 1e-4)
        return scientific(value, digits);
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1; // May be below 0.
    return withoutZeros(number(value, std::clamp(digits - before, 0, 8)));
}

QString numberText(const LabNumber& number)
{
    const QString text = shortNumber(number.value);
    return number.unit.empty() ? text : text + QChar(0x202F) + fromText(number.unit);
}

} // namespace headscope::ui
