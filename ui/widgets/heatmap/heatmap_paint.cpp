#include "ui/widgets/heatmap/heatmap_paint.h"

#include "core/text/token_sequence.h"
#include "ui/widgets/heatmap/heatmap_marks.h"
#include "ui/widgets/heatmap/heatmap_sink.h"
#include "ui/widgets/heatmap/heatmap_sums.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/style/text_widths.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::ui {
namespace {

constexpr double kLabelGap = 12.0;
constexpr double kColumnLabelLimit = 72.0;
constexpr double kRowLabelLimit = 96.0;
constexpr double kOutline = 3.0; ///< Space for outline and ring outside the cells.
constexpr double kDiagonal = std::numbers::sqrt2 / 2.0;
constexpr qsizetype kUprightLength = 2; // Of the longest label of a map.

/// Context of the painting steps below.
struct Brush
{
    QPainter& painter;
    const HeatmapLayout& layout;
    const HeatmapContent& content;
    const HeatmapOptions& options;
    const Theme& theme;
};

QFont labelFont(const Theme& theme, double cell)
{
    return theme.font(cell >= 24.0 * theme.scale() ? TextRole::MapToken : TextRole::SmallToken);
}

double widest(const QStringList& labels, const TextWidths& widths, double limit)
{
    double width = 0.0;
    for (const QString& label : labels) {
        width = std::max(width, widths.of(label));
        if (width >= limit)
            return limit;
    }
    return width;
}

/// Paints the visible part of the image without clipping, which SVG files lack.
void paintImage(const Brush& brush, const QImage& image)
{
    const QRectF all = brush.layout.cells();
    const QRectF shown = brush.layout.viewport();
    const double across = image.width() / all.width();
    const double down = image.height() / all.height();
    const QRectF part((shown.x() - all.x()) * across, (shown.y() - all.y()) * down,
                      shown.width() * across, shown.height() * down);
    brush.painter.drawImage(shown, image, part);
}

template<class Visit>
void visitVisible(const HeatmapLayout& layout, Visit visit)
{
    const auto [firstRow, lastRow] = layout.visibleRows();
    const auto [firstColumn, lastColumn] = layout.visibleColumns();
    for (int row = firstRow; row < lastRow; ++row)
        for (int column = firstColumn; column < lastColumn; ++column)
            visit(HeatmapCell{row, column});
}

void paintCells(const Brush& brush, const QImage& image)
{
    const bool few = brush.layout.rows() * brush.layout.columns() <= 64 * 64;
    if (!brush.options.cellsAsShapes || !few) {
        paintImage(brush, image);
        return;
    }
    const ColourLookup lookup(brush.content.scale, brush.theme);
    visitVisible(brush.layout, [&](HeatmapCell cell) {
        const QColor colour = brush.content.isHidden(cell)
                                  ? brush.theme.masked
                                  : QColor(lookup.colour(brush.content.shadeAt(cell)));
        brush.painter.fillRect(brush.layout.cellRect(cell) & brush.layout.viewport(), colour);
    });
}

/// Paints gaps of at least one device pixel between cells of 12 px or more.
void paintGaps(const Brush& brush)
{
    const QSizeF cell = brush.layout.cellSize();
    const QRectF all = brush.layout.cells();
    const QRectF shown = brush.layout.viewport();
    const double ratio = brush.layout.pixelRatio();
    const double gap = std::max(1.0, std::round(ratio)) / ratio;
    if (std::min(cell.width(), cell.height()) < 12.0)
        return;
    const auto [firstRow, lastRow] = brush.layout.visibleRows();
    const auto [firstColumn, lastColumn] = brush.layout.visibleColumns();
    for (int column = firstColumn + 1; column < lastColumn; ++column)
        brush.painter.fillRect(
            QRectF(all.x() + column * cell.width() - gap, shown.y(), gap, shown.height()),
            brush.theme.surface);
    for (int row = firstRow + 1; row < lastRow; ++row)
        brush.painter.fillRect(
            QRectF(shown.x(), all.y() + row * cell.height() - gap, shown.width(), gap),
            brush.theme.surface);
}

/// Paints the number of each cell that is wide enough for the widest.
void paintAllNumbers(const Brush& brush, int decimals)
{
    const QSizeF size = brush.layout.cellSize();
    const ColourLookup lookup(brush.content.scale, brush.theme);
    brush.painter.setFont(
        brush.theme.font(size.height() < 34.0 ? TextRole::Caption : TextRole::Body));
    const QFontMetricsF metrics(brush.painter.font());
    double widest = 0.0;
    visitVisible(brush.layout, [&](HeatmapCell cell) {
        const float value = brush.content.matrix.at(cell);
        if (!brush.content.isHidden(cell) && std::isfinite(value))
            widest = std::max(widest, metrics.horizontalAdvance(number(value, decimals)));
    });
    if (widest + 4.0 > size.width() || metrics.height() > size.height() + 2.0)
        return;
    visitVisible(brush.layout, [&](HeatmapCell cell) {
        const float value = brush.content.matrix.at(cell);
        if (brush.content.isHidden(cell) || !std::isfinite(value))
            return;
        brush.painter.setPen(cellTextColour(lookup.colour(brush.content.shadeAt(cell))));
        brush.painter.drawText(brush.layout.cellRect(cell), Qt::AlignCenter,
                               number(value, decimals));
    });
}

void paintNumbers(const Brush& brush)
{
    if (brush.options.numbers && brush.options.decimals)
        return paintAllNumbers(brush, *brush.options.decimals);
    const double edge = std::min(brush.layout.cellSize().width(), brush.layout.cellSize().height());
    if (!brush.options.numbers || edge < 28.0 * brush.theme.scale())
        return;
    const ColourLookup lookup(brush.content.scale, brush.theme);
    visitVisible(brush.layout, [&](HeatmapCell cell) {
        const float value = brush.content.matrix.at(cell);
        const QRectF rect = brush.layout.cellRect(cell);
        if (brush.content.isHidden(cell) || !(std::abs(value) >= 0.095F) || std::isinf(value) ||
            !brush.layout.viewport().contains(rect.center()))
            return;
        const QString text = cellNumber(value, brush.content.scale.isSigned());
        const auto font = cellNumberFont(text, rect.size(), brush.theme);
        if (!font)
            return;
        brush.painter.setFont(*font);
        brush.painter.setPen(cellTextColour(lookup.colour(brush.content.shadeAt(cell))));
        brush.painter.drawText(rect, Qt::AlignCenter, text);
    });
}

/// Hatches painted cells and outlines their regions.
void paintHandMask(const Brush& brush)
{
    if (!brush.content.painted)
        return;
    const auto isPainted = [&](int row, int column) {
        const auto index = static_cast<std::size_t>(row) * brush.layout.columns() + column;
        return row >= 0 && row < brush.layout.rows() && column >= 0 &&
               column < brush.layout.columns() && index < brush.content.painted->size() &&
               (*brush.content.painted)[index] != 0;
    };
    const QColor colour = brush.theme.less;
    for (int row = 0; row < brush.layout.rows(); ++row) {
        for (int column = 0; column < brush.layout.columns(); ++column) {
            if (!isPainted(row, column))
                continue;
            const QRectF cell = brush.layout.cellRect({row, column});
            paintHatch(brush.painter, cell, colour);
            if (!isPainted(row - 1, column))
                brush.painter.fillRect(QRectF(cell.x() - 1, cell.y() - 1, cell.width() + 2, 2),
                                       colour);
            if (!isPainted(row + 1, column))
                brush.painter.fillRect(QRectF(cell.x() - 1, cell.bottom() - 1, cell.width() + 2, 2),
                                       colour);
            if (!isPainted(row, column - 1))
                brush.painter.fillRect(QRectF(cell.x() - 1, cell.y() - 1, 2, cell.height() + 2),
                                       colour);
            if (!isPainted(row, column + 1))
                brush.painter.fillRect(QRectF(cell.right() - 1, cell.y() - 1, 2, cell.height() + 2),
                                       colour);
        }
    }
}

void paintQueryRow(const Brush& brush)
{
    const auto row = brush.content.queryRow;
    if (!row || *row < 0 || *row >= brush.layout.rows())
        return;
    QRectF rect = brush.layout.cellRect({*row, 0});
    rect.setWidth(brush.layout.cells().width());
    rect &= brush.layout.viewport();
    if (rect.isEmpty())
        return;
    fillFrame(brush.painter, rect.adjusted(-2, -2, 2, 2), 2.0, brush.theme.accent);
}

/// The cursor on the sink takes the ring along, see paintSink().
void paintCurrentCell(const Brush& brush)
{
    const auto cell = brush.content.current;
    if (!cell || !brush.content.matrix.contains(*cell) || brush.content.sinkRow)
        return;
    const QRectF rect = brush.layout.cellRect(*cell);
    if (brush.layout.viewport().contains(rect.center()))
        paintCellRing(brush.painter, rect, brush.theme);
}

/// Indices of every n-th label, and always `kept` instead of its neighbours.
std::vector<int> labelledIndices(int count, double pitch, double wanted, std::optional<int> kept)
{
    const int step = std::max(1, static_cast<int>(std::ceil(wanted / std::max(pitch, 1e-3))));
    std::vector<int> result;
    for (int index = 0; index < count; index += step)
        if (!kept || index == *kept || std::abs(index - *kept) >= step)
            result.push_back(index);
    if (kept && *kept >= 0 && *kept < count &&
        std::find(result.begin(), result.end(), *kept) == result.end())
        result.push_back(*kept);
    return result;
}

/// Colour of a label that is not marked: muted for what a chat's template wrote.
QColor restColour(const Brush& brush, const std::vector<int>& turns, int index)
{
    const auto at = static_cast<std::size_t>(index);
    const bool isMuted = at < turns.size() && turns[at] == kTemplateTurn;
    return brush.content.stale || isMuted ? brush.theme.text3 : brush.theme.text2;
}

/// Paints a line beside the rows, or above the columns, of each turn of a chat.
void paintTurns(const Brush& brush, const std::vector<int>& turns, bool areRows)
{
    constexpr double kThickness = 2.0;
    const QRectF shown = brush.layout.viewport();
    const auto size = static_cast<int>(turns.size());
    for (int begin = 0, end = 0; begin < size; begin = end) {
        const int turn = turns[static_cast<std::size_t>(begin)];
        while (end < size && turns[static_cast<std::size_t>(end)] == turn)
            ++end;
        if (turn < 0)
            continue;
        const auto cell = [&](int index) {
            return brush.layout.cellRect(areRows ? HeatmapCell{index, 0} : HeatmapCell{0, index});
        };
        const QRectF all = cell(begin) | cell(end - 1);
        const QRectF line =
            areRows ? QRectF(shown.x() - 8.0, all.y() + 1.0, kThickness, all.height() - 2.0)
                    : QRectF(all.x() + 1.0, shown.y() - 6.0, all.width() - 2.0, kThickness);
        const QRectF visible = areRows ? QRectF(line.x(), shown.y(), kThickness, shown.height())
                                       : QRectF(shown.x(), line.y(), shown.width(), kThickness);
        brush.painter.fillRect(line & visible, brush.theme.control);
    }
}

bool isInside(double place, double begin, double end)
{
    return place >= begin && place <= end;
}

void paintRowLabels(const Brush& brush)
{
    const QRectF shown = brush.layout.viewport();
    const double pitch = brush.layout.cellSize().height();
    const QFont plain = labelFont(brush.theme, pitch);
    QFont strong = plain;
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(plain);
    const double width =
        widest(brush.content.rowLabels, TextWidths(plain), kRowLabelLimit * brush.theme.scale()) +
        4;
    for (int row : labelledIndices(brush.layout.rows(), pitch, metrics.height() * 0.86,
                                   brush.content.queryRow)) {
        const bool isQuery = brush.content.queryRow == row;
        QRectF cell = brush.layout.cellRect({row, 0});
        if (!isInside(cell.center().y(), shown.y(), shown.bottom()))
            continue;
        cell.moveLeft(shown.x());
        const double height = std::max(cell.height(), metrics.height());
        const QRectF place(cell.x() - kLabelGap - width, cell.center().y() - height / 2.0, width,
                           height);
        brush.painter.setFont(isQuery ? strong : plain);
        brush.painter.setPen(isQuery && !brush.content.stale
                                 ? brush.theme.accent
                                 : restColour(brush, brush.content.rowTurns, row));
        brush.painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                               QFontMetricsF(brush.painter.font())
                                   .elidedText(brush.content.rowLabel(row), Qt::ElideRight, width));
    }
}

/// Numbers of layers and dimensions are not tilted where their columns are wide enough.
bool areUpright(const HeatmapContent& content, double pitch, const QFontMetricsF& metrics)
{
    return std::ranges::all_of(content.columnLabels, [&](const QString& label) {
        return label.size() <= kUprightLength && metrics.horizontalAdvance(label) + 6.0 <= pitch;
    });
}

void paintColumnLabels(const Brush& brush)
{
    const QRectF shown = brush.layout.viewport();
    const double pitch = brush.layout.cellSize().width();
    const QFont plain = labelFont(brush.theme, pitch);
    QFont strong = plain;
    strong.setWeight(QFont::DemiBold);
    const std::optional<int> key =
        brush.content.current ? std::optional<int>(brush.content.current->column) : std::nullopt;
    const QFontMetricsF metrics(plain);
    const bool isUpright = areUpright(brush.content, pitch, metrics);
    for (int column :
         labelledIndices(brush.layout.columns(), pitch, metrics.height() * 0.94, key)) {
        const bool isKey = key == column;
        QRectF cell = brush.layout.cellRect({0, column});
        if (!isInside(cell.center().x(), shown.x(), shown.right()))
            continue;
        cell.moveTop(shown.y());
        const QString& label = brush.content.columnLabel(column);
        brush.painter.save();
        brush.painter.translate(cell.center().x(), cell.y() - 7.0);
        if (isUpright)
            brush.painter.translate(-0.5 * metrics.horizontalAdvance(label), 0.0);
        else
            brush.painter.rotate(-45.0);
        brush.painter.setFont(isKey ? strong : plain);
        brush.painter.setPen(isKey && !brush.content.stale
                                 ? brush.theme.key
                                 : restColour(brush, brush.content.columnTurns, column));
        const QString text =
            QFontMetricsF(brush.painter.font())
                .elidedText(label, Qt::ElideRight, kColumnLabelLimit * brush.theme.scale());
        brush.painter.drawText(QPointF(0.0, metrics.descent() * 0.5), text);
        brush.painter.restore();
    }
}

void paintCorner(const Brush& brush)
{
    const QFont font = brush.theme.font(TextRole::Caption);
    const QFontMetricsF metrics(font);
    const QPointF origin = brush.layout.viewport().topLeft();
    brush.painter.setFont(font);
    const double keyY = origin.y() - 42.0 * brush.theme.scale();
    const double queryY = origin.y() - 14.0 * brush.theme.scale();
    const double right = origin.x() - kLabelGap - 2.0;
    brush.painter.setPen(brush.theme.text3);
    const double keyRight = right - 2.0;
    const QString& key = brush.content.columnsName;
    const QString& query = brush.content.rowsName;
    brush.painter.drawText(QPointF(keyRight - metrics.horizontalAdvance(key), keyY), key);
    brush.painter.drawText(QPointF(right - 5.0 - metrics.horizontalAdvance(query), queryY), query);
    brush.painter.save();
    brush.painter.setRenderHint(QPainter::Antialiasing);
    brush.painter.setPen(QPen(brush.theme.text3, 1.0));
    const double middle = metrics.xHeight() / 2.0;
    drawArrow(brush.painter, {keyRight + 4.0, keyY - middle}, {keyRight + 18.0, keyY - middle});
    drawArrow(brush.painter, {right + 1.5, queryY - 10.0}, {right + 1.5, queryY + 3.0});
    brush.painter.restore();
}

/// Value and area under the cursor, on a key or on the sink; none for a hidden cell.
std::optional<std::pair<double, QRectF>> valueAtCursor(const Brush& brush)
{
    const HeatmapContent& content = brush.content;
    if (const auto row = content.sinkRow;
        row && static_cast<std::size_t>(*row) < content.sink.size())
        return std::pair{double{content.sink[static_cast<std::size_t>(*row)]},
                         brush.layout.sinkRect(*row)};
    const auto cell = content.current;
    if (!cell || !content.matrix.contains(*cell) || content.isHidden(*cell))
        return std::nullopt;
    return std::pair{double{content.matrix.at(*cell)}, brush.layout.cellRect(*cell)};
}

/// Small maps: paints the current value under the query row on a 5 px tick, whole also at the ends.
void paintKeyNumber(const Brush& brush)
{
    const auto current = valueAtCursor(brush);
    if (!current || std::isnan(current->first))
        return;
    const double value = current->first;
    const bool isSigned = brush.content.scale.isSigned();
    const QRectF rect = current->second;
    const double top = std::max(rect.bottom(), brush.layout.cells().bottom()) + 2.0;
    QColor colour = brush.theme.text;
    if (isSigned && value != 0.0)
        colour = value < 0 ? brush.theme.less : brush.theme.more;
    brush.painter.fillRect(QRectF(std::round(rect.center().x()) - 0.5, top, 1.0, 5.0), colour);
    const QString text = isSigned ? signedNumber(value, 2) : number(value, 2);
    const QFont font = brush.theme.bold(TextRole::MapToken);
    const double width = std::ceil(QFontMetricsF(font).horizontalAdvance(text)) + 2.0;
    const double begin = brush.layout.viewport().x() -
                         heatmapMargins(brush.content, brush.options, brush.theme).left();
    const QRectF device =
        brush.painter.combinedTransform().inverted().mapRect(QRectF(brush.painter.viewport()));
    if (begin + width > device.right())
        return;
    const double left = std::clamp(rect.center().x() - width / 2.0, begin, device.right() - width);
    brush.painter.setFont(font);
    brush.painter.setPen(colour);
    brush.painter.drawText(QRectF(left, top + 5.0, width, 20.0 * brush.theme.scale()),
                           Qt::AlignHCenter | Qt::AlignTop, text);
}

} // namespace

QMarginsF heatmapMargins(const HeatmapContent& content, const HeatmapOptions& options,
                         const Theme& theme)
{
    QMarginsF margins(kOutline, kOutline, kOutline, kOutline);
    const QFontMetricsF metrics(theme.font(TextRole::MapToken));
    const TextWidths widths(theme.font(TextRole::MapToken));
    const double scale = theme.scale();
    if (options.rowLabels)
        margins.setLeft(widest(content.rowLabels, widths, kRowLabelLimit * scale) + kLabelGap +
                        8.0);
    if (options.corner) {
        const QFontMetricsF small(theme.font(TextRole::Caption));
        const double names = std::max(small.horizontalAdvance(content.rowsName),
                                      small.horizontalAdvance(content.columnsName));
        margins.setLeft(std::max({margins.left(), 64.0 * scale, names + kLabelGap + 12.0}));
    }
    if (options.columnLabels) {
        const double limit = kColumnLabelLimit * scale;
        const double longest = widest(content.columnLabels, widths, limit);
        const double last =
            content.columnLabels.isEmpty()
                ? 0.0
                : std::min(limit, metrics.horizontalAdvance(content.columnLabels.last()));
        margins.setTop((longest + metrics.ascent()) * kDiagonal + 8.0);
        const double sink = content.sink.empty() ? 0.0 : metrics.horizontalAdvance(sinkName());
        margins.setRight(std::max({kOutline, last * kDiagonal, sink * kDiagonal}));
    }
    if (options.corner)
        margins.setTop(std::max(margins.top(), 56.0 * scale));
    if (options.keyNumber)
        margins.setBottom(28.0 * scale);
    const QSizeF sums = sumStrips(content, theme);
    margins.setRight(std::max(margins.right(), sums.width()));
    margins.setBottom(std::max(margins.bottom(), sums.height()));
    return margins;
}

void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const QImage& image,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme)
{
    if (image.isNull())
        return;
    const Brush brush{painter, layout, content, options, theme};
    paintHeatmap(
        painter, layout, [&](QPainter&) { paintCells(brush, image); }, content, options, theme);
}

void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const CellPainter& paintCells,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme)
{
    if (content.matrix.isEmpty())
        return;
    const Brush brush{painter, layout, content, options, theme};
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintCells(painter);
    paintGaps(brush);
    paintNumbers(brush);
    paintHandMask(brush);
    paintQueryRow(brush);
    paintCurrentCell(brush);
    paintSink(painter, layout, content, options, theme);
    if (options.rowLabels) {
        paintRowLabels(brush);
        paintTurns(brush, content.rowTurns, true);
    }
    if (options.columnLabels) {
        paintColumnLabels(brush);
        paintTurns(brush, content.columnTurns, false);
    }
    if (options.corner)
        paintCorner(brush);
    if (options.keyNumber)
        paintKeyNumber(brush);
    paintSums(painter, layout, content, theme);
    painter.restore();
}

} // namespace headscope::ui
