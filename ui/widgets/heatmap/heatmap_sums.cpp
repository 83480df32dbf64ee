#include "ui/widgets/heatmap/heatmap_sums.h"

#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kGap = 12.0;
constexpr double kRowBar = 24.0;
constexpr double kRowNumber = 44.0;
constexpr double kColumnBar = 32.0;
constexpr double kColumnNumber = 20.0;

struct Brush
{
    QPainter& painter;
    const HeatmapLayout& layout;
    const HeatmapContent& content;
    const Theme& theme;

    double scale() const { return theme.scale(); }

    bool isSigned() const { return content.scale.isSigned(); }
};

double largestOf(const std::vector<double>& sums)
{
    double largest = 0.0;
    for (const double sum : sums)
        largest = std::max(largest, std::abs(sum));
    return largest;
}

QColor barColour(const Brush& brush, double sum)
{
    if (!brush.isSigned())
        return brush.theme.bar;
    return sum < 0.0 ? brush.theme.less : brush.theme.more;
}

QString sumText(const Brush& brush, double sum)
{
    return brush.isSigned() ? signedNumber(sum, 2) : number(sum, 2);
}

/// Length of a bar; at least one pixel unless the sum is 0.
double barLength(double sum, double largest, double room)
{
    if (sum == 0.0 || !(largest > 0.0))
        return 0.0;
    return std::max(1.0, std::round(std::abs(sum) / largest * room));
}

void paintRowSums(const Brush& brush)
{
    const QRectF shown = brush.layout.viewport();
    const double pitch = brush.layout.cellSize().height();
    const double thickness = std::clamp(std::floor(pitch - 2.0), 1.0, 12.0);
    const double largest = std::max(largestOf(brush.content.rowSums), 1e-9);
    const double left = brush.layout.rightEdge() + kGap;
    const auto [first, last] = brush.layout.visibleRows();
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    const bool numbers = pitch >= 14.0 * brush.scale();
    for (int row = first; row < last; ++row) {
        const double sum = brush.content.rowSums[static_cast<std::size_t>(row)];
        const double middle = brush.layout.cellRect({row, 0}).center().y();
        if (middle > shown.bottom() || middle < shown.y())
            continue;
        const double length = barLength(sum, largest, kRowBar * brush.scale());
        brush.painter.fillRect(
            QRectF(left, std::round(middle - thickness / 2.0), length, thickness),
            barColour(brush, sum));
        if (!numbers)
            continue;
        brush.painter.setPen(brush.theme.text2);
        brush.painter.drawText(QRectF(left + kRowBar * brush.scale() + 4.0, middle - 10.0,
                                      kRowNumber * brush.scale(), 20.0),
                               Qt::AlignLeft | Qt::AlignVCenter, sumText(brush, sum));
    }
}

void paintColumnSums(const Brush& brush)
{
    const QRectF shown = brush.layout.viewport();
    const std::vector<double>& sums = brush.content.columnSums;
    const double pitch = brush.layout.cellSize().width();
    const double thickness = std::clamp(std::floor(pitch - 2.0), 1.0, 14.0);
    const double largest = std::max(largestOf(sums), 1e-9);
    const double top = shown.bottom() + kGap;
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    const bool numbers = pitch >= 30.0 * brush.scale();
    bool largestWritten = false;
    const auto [first, last] = brush.layout.visibleColumns();
    for (int column = first; column < last; ++column) {
        const double sum = sums[static_cast<std::size_t>(column)];
        const double middle = brush.layout.cellRect({0, column}).center().x();
        if (middle > shown.right() || middle < shown.x())
            continue;
        const double length = barLength(sum, largest, kColumnBar * brush.scale());
        brush.painter.fillRect(QRectF(std::round(middle - thickness / 2.0), top, thickness, length),
                               barColour(brush, sum));
        const bool isLargest = !largestWritten && std::abs(sum) >= largest;
        if (!numbers && !isLargest)
            continue;
        largestWritten = largestWritten || isLargest;
        brush.painter.setPen(brush.theme.text2);
        brush.painter.drawText(
            QRectF(middle - 24.0, top + length + 2.0, 48.0, kColumnNumber * brush.scale()),
            Qt::AlignHCenter | Qt::AlignTop, sumText(brush, sum));
    }
}

void paintNames(const Brush& brush)
{
    const QRectF shown = brush.layout.viewport();
    const QFont font = brush.theme.font(TextRole::Caption);
    const double height = 16.0 * brush.scale();
    brush.painter.setFont(font);
    brush.painter.setPen(brush.theme.text3);
    brush.painter.drawText(
        QRectF(brush.layout.rightEdge() + kGap, shown.bottom() + kGap - 4.0, 80.0, height),
        Qt::AlignLeft | Qt::AlignVCenter, tr("row sum"));
    brush.painter.drawText(
        QRectF(shown.x() - kGap - 90.0, shown.bottom() + kGap - 4.0, 90.0, height),
        Qt::AlignRight | Qt::AlignVCenter, tr("received"));
}

} // namespace

QSizeF sumStrips(const HeatmapContent& content, const Theme& theme)
{
    if (content.rowSums.empty() && content.columnSums.empty())
        return {0.0, 0.0};
    return QSizeF(kGap + (kRowBar + kRowNumber) * theme.scale() + 4.0,
                  kGap + (kColumnBar + kColumnNumber) * theme.scale() + 4.0);
}

void paintSums(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const Theme& theme)
{
    const bool fits = static_cast<int>(content.rowSums.size()) == layout.rows() &&
                      static_cast<int>(content.columnSums.size()) == layout.columns();
    if (!fits || content.rowSums.empty())
        return;
    const Brush brush{painter, layout, content, theme};
    paintRowSums(brush);
    paintColumnSums(brush);
    paintNames(brush);
}

} // namespace headscope::ui
