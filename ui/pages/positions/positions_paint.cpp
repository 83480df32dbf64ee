#include "ui/pages/positions/positions_paint.h"

#include "ui/pages/positions/section_heading.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

struct Brush
{
    QPainter& painter;
    const PositionsLayout& layout;
    const PositionsContent& content;
    const Theme& theme;
};

void drawRight(const Brush& brush, double right, double middle, const QString& text)
{
    brush.painter.drawText(QRectF(right - 80.0, middle - 10.0, 80.0, 20.0),
                           Qt::AlignRight | Qt::AlignVCenter, text);
}

double waveValue(const PositionsContent& content, double position, int dimension)
{
    if (content.scheme == Positions::Sinusoidal)
        return sinusoid(position, dimension, content.table.dimensions, content.base);
    const int before = std::clamp(static_cast<int>(position), 0, content.table.positions - 1);
    const int after = std::min(before + 1, content.table.positions - 1);
    const double fraction = position - before;
    return (1.0 - fraction) * content.table.at(before, dimension) +
           fraction * content.table.at(after, dimension);
}

/// Value at the top of the waves and of the colour scale.
double valueRange(const PositionsContent& content)
{
    if (content.scheme != Positions::Learned)
        return 1.0;
    const double largest = largestMagnitude(content.table);
    return largest > 0.0 ? largest : 1.0;
}

int decimalsFor(double value)
{
    return value == std::round(value) ? 0 : value < 1.0 ? 2 : 1;
}

void paintWaveAxis(const Brush& brush)
{
    const QRectF area = brush.layout.waves();
    const double range = valueRange(brush.content);
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    for (double fraction : {1.0, 0.0, -1.0}) {
        const double y = std::round(area.center().y() - fraction * area.height() / 2.0);
        brush.painter.fillRect(QRectF(area.x(), y, area.width(), 1),
                               fraction == 0.0 ? brush.theme.line2 : brush.theme.line);
        brush.painter.setPen(brush.theme.text3);
        drawRight(brush, area.x() - 10.0, y,
                  number(fraction * range, fraction == 0.0 ? 0 : decimalsFor(range)));
    }
}

/// Uses segments rather than one path: Qt strokes short wide lines far faster.
void paintWave(const Brush& brush, int dimension, const QColor& hue)
{
    const QRectF area = brush.layout.waves();
    const double range = valueRange(brush.content);
    const int last = brush.content.table.positions - 1;
    const bool straight = brush.content.scheme != Positions::Sinusoidal;
    const int steps = straight ? last : std::max(last, static_cast<int>(area.width() / 2.0));
    std::vector<QLineF> lines;
    lines.reserve(static_cast<std::size_t>(std::max(steps, 0)));
    QPointF previous;
    for (int step = 0; step <= steps; ++step) {
        const double position = steps > 0 ? static_cast<double>(step) * last / steps : 0.0;
        const double value = waveValue(brush.content, position, dimension);
        const QPointF point(brush.layout.columnCentre(position),
                            area.center().y() - value / range * area.height() / 2.0);
        if (step > 0 && std::isfinite(value))
            lines.emplace_back(previous, point);
        previous = point;
    }
    brush.painter.setPen(QPen(hue, 1.8, Qt::SolidLine, Qt::SquareCap));
    brush.painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

/// Labels stay at their curve's end where possible, at least 15 px apart.
void paintWaveLabels(const Brush& brush, const std::vector<int>& dimensions)
{
    const QRectF area = brush.layout.waves();
    const double range = valueRange(brush.content);

    struct Label
    {
        double y;
        std::size_t index;
    };

    std::vector<Label> labels;
    for (std::size_t index = 0; index < dimensions.size(); ++index) {
        const double value =
            waveValue(brush.content, brush.content.table.positions - 1, dimensions[index]);
        labels.push_back({area.center().y() - value / range * area.height() / 2.0, index});
    }
    std::sort(labels.begin(), labels.end(),
              [](const Label& a, const Label& b) { return a.y < b.y; });
    const double apart = 16.0 * brush.theme.scale();
    for (std::size_t index = 1; index < labels.size(); ++index)
        labels[index].y = std::max(labels[index].y, labels[index - 1].y + apart);
    for (std::size_t index = labels.size(); index-- > 0;) {
        const double lowest =
            index + 1 < labels.size() ? labels[index + 1].y - apart : area.bottom() + 4.0;
        labels[index].y = std::min(labels[index].y, lowest);
    }
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    for (const Label& label : labels) {
        const double y = std::round(label.y);
        brush.painter.fillRect(QRectF(area.right() + 8, y - 5, 10, 10),
                               brush.theme.waveHue(static_cast<int>(label.index)));
        brush.painter.setPen(brush.theme.text);
        brush.painter.drawText(QRectF(area.right() + 23, y - 10, 60, 20),
                               Qt::AlignLeft | Qt::AlignVCenter,
                               tr("dim %1").arg(dimensions[label.index]));
    }
}

void paintWaves(const Brush& brush)
{
    const auto dimensions = waveDimensions(brush.content.table.dimensions);
    const QString about =
        tr("%1 of %2 dimensions").arg(dimensions.size()).arg(brush.content.table.dimensions);
    paintSectionHeading(brush.painter, {brush.layout.left(), brush.layout.headingY(0)}, tr("Waves"),
                        about, brush.theme);
    paintWaveAxis(brush);
    brush.painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t index = dimensions.size(); index-- > 0;)
        paintWave(brush, dimensions[index], brush.theme.waveHue(static_cast<int>(index)));
    brush.painter.setRenderHint(QPainter::Antialiasing, false);
    paintWaveLabels(brush, dimensions);
}

/// Rows first, first + step, ... of the matrix, positions across.
HeatmapContent tableBlock(const PositionsContent& content, int first, int step)
{
    const int rows = (content.table.dimensions - first + step - 1) / step;
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(rows) * content.table.positions);
    for (int row = 0; row < rows; ++row)
        for (int position = 0; position < content.table.positions; ++position)
            values.push_back(static_cast<float>(content.table.at(position, first + row * step)));
    HeatmapContent block;
    block.matrix = HeatmapMatrix::copyOf(std::move(values), rows, content.table.positions);
    const auto range = static_cast<float>(valueRange(content));
    block.scale = ColourScale{MapName::Balance, -range, range, 0.7};
    return block;
}

void paintBlock(const Brush& brush, const QRectF& area, int first, int step, const QString& name)
{
    const HeatmapContent block = tableBlock(brush.content, first, step);
    const double ratio = brush.layout.pixelRatio();
    const auto pixels = [ratio](double length, int count) {
        return std::clamp(static_cast<int>(std::lround(length * ratio)), 1, count);
    };
    const QSize size(pixels(area.width(), block.matrix.columns),
                     pixels(area.height(), block.matrix.rows));
    QImage image = heatmapImage(block, brush.theme, size);
    const bool vector = brush.painter.device()->devType() != QInternal::Widget &&
                        brush.painter.device()->devType() != QInternal::Image &&
                        brush.painter.device()->devType() != QInternal::Pixmap;
    if (vector) // Viewers smooth small embedded images.
        image = image.scaled(image.size() * 8, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    brush.painter.drawImage(area, image);

    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    brush.painter.setPen(brush.theme.text3);
    const int rows = block.matrix.rows;
    const auto labelRow = [&](int row) {
        const double inset = std::min(7.0 * brush.theme.scale(), area.height() / 4.0);
        const double y = area.y() + (row + 0.5) * area.height() / rows;
        drawRight(brush, area.x() - 10.0, std::clamp(y, area.y() + inset, area.bottom() - inset),
                  QString::number(first + row * step));
    };
    labelRow(0);
    if (rows > 2 && area.height() > 60.0)
        labelRow(rows / 2);
    if (rows > 1 && area.height() > 28.0)
        labelRow(rows - 1);
    brush.painter.setPen(brush.theme.text2);
    brush.painter.drawText(QRectF(area.right() + 23, area.center().y() - 10, 60, 20),
                           Qt::AlignLeft | Qt::AlignVCenter, name);
}

/// Marks the rows that the waves above show with a tick in their hue.
void paintRowTicks(const Brush& brush)
{
    const auto dimensions = waveDimensions(brush.content.table.dimensions);
    const QRectF area = brush.layout.upperTable();
    const bool split = !brush.layout.lowerTable().isEmpty();
    const int rows = split ? brush.content.table.dimensions / 2 : brush.content.table.dimensions;
    for (std::size_t index = 0; index < dimensions.size(); ++index) {
        const int row = split ? dimensions[index] / 2 : dimensions[index];
        const double y = std::round(area.y() + (row + 0.5) * area.height() / rows);
        brush.painter.fillRect(QRectF(area.right() + 4, y - 1.5, 8, 3),
                               brush.theme.waveHue(static_cast<int>(index)));
    }
}

void paintColumnFrame(const Brush& brush, int position, const QColor& colour)
{
    const QRectF outer = brush.layout.column(position).adjusted(-2, -2, 2, 2);
    brush.painter.fillRect(QRectF(outer.x(), outer.y(), outer.width(), 2), colour);
    brush.painter.fillRect(QRectF(outer.x(), outer.bottom() - 2, outer.width(), 2), colour);
    brush.painter.fillRect(QRectF(outer.x(), outer.y(), 2, outer.height()), colour);
    brush.painter.fillRect(QRectF(outer.right() - 2, outer.y(), 2, outer.height()), colour);
}

void paintPositionAxis(const Brush& brush)
{
    const double top = brush.layout.column(0).bottom() + 4.0;
    const double line = 16.0 * brush.theme.scale();
    const int last = brush.content.table.positions - 1;
    int step = 1;
    for (int candidate : {1, 2, 4, 8, 16, 32, 64})
        if (step = candidate; candidate * brush.layout.column(0).width() >= 48.0)
            break;
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    brush.painter.setPen(brush.theme.text3);
    const auto label = [&](int position) {
        brush.painter.drawText(QRectF(brush.layout.columnCentre(position) - 30, top, 60, line),
                               Qt::AlignCenter, QString::number(position));
    };
    for (int position = 0; position <= last - step / 2; position += step)
        label(position);
    label(last);

    const QFontMetricsF metrics(brush.theme.bold(TextRole::Body));
    const QString here = QStringLiteral("p = %1").arg(brush.content.position);
    const QString there =
        QStringLiteral("p + k = %1").arg(brush.content.position + brush.content.offset);
    const double y = top + line + 1.0 + metrics.ascent();
    const double centre = brush.layout.columnCentre(brush.content.position);
    double end = centre + metrics.horizontalAdvance(here) / 2.0;
    brush.painter.setFont(brush.theme.bold(TextRole::Body));
    brush.painter.setPen(brush.theme.accent);
    const double start = std::max(brush.layout.left(), end - metrics.horizontalAdvance(here));
    brush.painter.drawText(QPointF(start, y), here);
    end = start + metrics.horizontalAdvance(here);
    double other = brush.layout.columnCentre(brush.content.position + brush.content.offset) -
                   metrics.horizontalAdvance(there) / 2.0;
    other =
        std::clamp(other, end + 10.0,
                   std::max(end + 10.0, brush.layout.right() - metrics.horizontalAdvance(there)));
    brush.painter.setPen(brush.theme.key);
    if (brush.content.hasOffsetPosition())
        brush.painter.drawText(QPointF(other, y), there);
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    brush.painter.setPen(brush.theme.text3);
    const double word = QFontMetricsF(brush.painter.font()).horizontalAdvance(tr("position"));
    const double right = brush.layout.waves().right();
    if (!brush.content.hasOffsetPosition() ||
        other + metrics.horizontalAdvance(there) + 12.0 < right - word)
        if (end + 12.0 < right - word)
            brush.painter.drawText(QPointF(right - word, y), tr("position"));
}

void paintTable(const Brush& brush)
{
    const QString title = tr("All %1 dimensions").arg(brush.content.table.dimensions);
    const bool learned = brush.content.scheme == Positions::Learned;
    paintSectionHeading(brush.painter, {brush.layout.left(), brush.layout.headingY(1)}, title,
                        learned ? tr("scaled to this matrix") : tr("fixed scale"), brush.theme);
    const auto range = static_cast<float>(valueRange(brush.content));
    ColourBarContent bar;
    bar.scale = ColourScale{MapName::Balance, -range, range, 0.7};
    bar.inlineEnds = true;
    const QRectF waves = brush.layout.waves();
    paintColourBar(
        brush.painter,
        QRectF(waves.right() - 222, brush.layout.headingY(1), 214, 20 * brush.theme.scale()), bar,
        brush.theme);
    if (brush.layout.lowerTable().isEmpty()) {
        paintBlock(brush, brush.layout.upperTable(), 0, 1, {});
    } else {
        paintBlock(brush, brush.layout.upperTable(), 0, 2, QStringLiteral("sin"));
        paintBlock(brush, brush.layout.lowerTable(), 1, 2, QStringLiteral("cos"));
    }
    paintRowTicks(brush);
    if (brush.content.hasOffsetPosition())
        paintColumnFrame(brush, brush.content.position + brush.content.offset, brush.theme.key);
    paintColumnFrame(brush, brush.content.position, brush.theme.accent);
    paintPositionAxis(brush);
}

QString similarityText(const std::vector<double>& values, const PositionsContent& content)
{
    if (content.scheme == Positions::None)
        return tr("0 everywhere: all positions are identical");
    const double self = values[static_cast<std::size_t>(content.position)];
    const int decimals = std::abs(self) >= 1.0 ? 2 : 4;
    if (!content.hasOffsetPosition())
        return tr("dot product, with itself %1").arg(number(self, decimals));
    const double other = values[static_cast<std::size_t>(content.position + content.offset)];
    return tr("dot product, at k = %1: %2 of %3")
        .arg(content.offset)
        .arg(number(other, decimals), number(self, self == std::round(self) ? 0 : decimals));
}

void paintSimilarity(const Brush& brush)
{
    const QRectF area = brush.layout.similarity();
    const auto values = similarityTo(brush.content.table, brush.content.position);
    if (values.empty())
        return;
    paintSectionHeading(brush.painter, {brush.layout.left(), brush.layout.headingY(2)},
                        tr("Similarity to p"), similarityText(values, brush.content), brush.theme);
    const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
    const double low = std::min(0.0, *smallest);
    const double high = std::max({0.0, *largest, low + 1e-12});
    const auto yOf = [&](double value) {
        return area.bottom() - (value - low) / (high - low) * area.height();
    };
    brush.painter.setFont(brush.theme.font(TextRole::Caption));
    brush.painter.setPen(brush.theme.text3);
    const bool flat = *largest <= 0.0 && *smallest >= 0.0;
    const int decimals = flat || high >= 4.0 ? 0 : high >= 0.5 ? 1 : 3;
    for (double value : {high, (high + low) / 2.0, low})
        if (!flat || value == low)
            drawRight(brush, area.x() - 10.0, yOf(value), number(value, decimals));
    const double width = brush.layout.column(0).width();
    for (std::size_t index = 0; index < values.size(); ++index) {
        const auto position = static_cast<int>(index);
        const double x = brush.layout.column(position).x();
        const double top = std::min(yOf(values[index]), yOf(0.0));
        QColor colour = brush.theme.bar;
        if (position == brush.content.position)
            colour = brush.theme.accent;
        else if (position == brush.content.position + brush.content.offset)
            colour = brush.theme.key;
        brush.painter.fillRect(QRectF(x, top, width > 3.0 ? width - 1.0 : width,
                                      std::abs(yOf(values[index]) - yOf(0.0))),
                               colour);
    }
    brush.painter.fillRect(QRectF(area.x(), yOf(0.0), area.width(), 1), brush.theme.line2);
}

void paintMarker(const Brush& brush, int position, const QColor& colour)
{
    const QRectF waves = brush.layout.waves();
    const double x = std::round(brush.layout.columnCentre(position)) - 1.0;
    brush.painter.fillRect(QRectF(x, waves.y() - 16.0, 2.0, waves.height() + 32.0), colour);
}

} // namespace

void paintPositions(QPainter& painter, const PositionsLayout& layout,
                    const PositionsContent& content, const Theme& theme)
{
    if (content.table.isEmpty())
        return;
    const Brush brush{painter, layout, content, theme};
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    paintWaves(brush);
    if (content.hasOffsetPosition())
        paintMarker(brush, content.position + content.offset, theme.key);
    paintMarker(brush, content.position, theme.accent);
    paintTable(brush);
    paintSimilarity(brush);
    painter.restore();
}

} // namespace headscope::ui
