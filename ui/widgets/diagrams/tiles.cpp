#include "ui/widgets/diagrams/tiles.h"

#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope::ui {

namespace {

constexpr double kAxis = 20.0;
constexpr double kLegend = 24.0;
constexpr double kWords = 190.0;
constexpr double kTextGap = 20.0;
constexpr double kLargest = 64.0;
constexpr double kNumberRow = 22.0;

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

bool hasWorkers(const LabTiles& tiles)
{
    return std::ranges::any_of(tiles.tiles,
                               [](const LabTiles::Tile& tile) { return tile.worker != 0; });
}

QString tileText(double value)
{
    if (!std::isfinite(value))
        return value < 0.0 ? QString(QChar(0x2212)) + QChar(0x221E) : QString(QChar(0x221E));
    const double size = std::abs(value);
    if (size == std::floor(size) && size < 1e15)
        return count(std::llround(value));
    return size >= 1e6 || size < 1e-3 ? scientific(value, 4) : number(value, 4);
}

void paintDoneCell(QPainter& painter, const QRectF& place, const LabTiles& tiles, int index,
                   bool isPresent, const Theme& theme)
{
    const LabTiles::Tile& tile = tiles.tiles[static_cast<std::size_t>(index)];
    painter.fillRect(place, isPresent ? theme.accent : theme.soft);
    if (hasWorkers(tiles)) { // a corner in the worker's hue, with its number
        const QColor hue = theme.heads[static_cast<std::size_t>(tile.worker) % theme.heads.size()];
        painter.fillRect(QRectF(place.x(), place.y(), place.width(), 4.0), hue);
    }
    if (place.width() < 24.0 * theme.scale())
        return;
    painter.setPen(isPresent ? theme.onAccent : theme.text);
    const bool both = hasWorkers(tiles) && place.height() >= 40.0 * theme.scale();
    painter.setFont(theme.font(TextRole::Caption));
    const QString order = QString::number(index + 1);
    painter.drawText(place.adjusted(0, both ? 2 : 0, 0, 0), Qt::AlignCenter,
                     both ? order + QLatin1Char('\n') + tr("w%1").arg(tile.worker) : order);
}

void paintGrid(QPainter& painter, const TilesLayout& layout, const LabTiles& tiles, int done,
               const Theme& theme)
{
    for (int row = 0; row < tiles.rows; ++row)
        for (int column = 0; column < tiles.columns; ++column)
            painter.fillRect(layout.cell(row, column), theme.masked);
    for (const auto& [row, column] : tiles.skipped)
        paintHatch(painter, layout.cell(row, column), theme.less);
    for (int index = 0; index < done; ++index) {
        const LabTiles::Tile& tile = tiles.tiles[static_cast<std::size_t>(index)];
        paintDoneCell(painter, layout.cell(tile.row, tile.column), tiles, index, index == done - 1,
                      theme);
    }
}

void paintAxes(QPainter& painter, const TilesLayout& layout, const LabTiles& tiles,
               const Theme& theme)
{
    const QRectF grid = layout.grid();
    const double axis = kAxis * theme.scale();
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const QFontMetricsF metrics(painter.font());
    const QString right = fromText(tiles.columnsName) + QStringLiteral(" \u2192");
    painter.drawText(QRectF(grid.x(), grid.y() - axis, grid.width(), axis),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(right, Qt::ElideRight, grid.width()));
    painter.save();
    painter.translate(grid.x() - axis, grid.bottom());
    painter.rotate(-90.0);
    const QString down = QStringLiteral("\u2190 ") + fromText(tiles.rowsName);
    painter.drawText(QRectF(0, 0, grid.height(), axis), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(down, Qt::ElideRight, grid.height()));
    painter.restore();
}

void paintTileText(QPainter& painter, const QRectF& area, const LabTiles& tiles, int done,
                   const Theme& theme)
{
    const double scale = theme.scale();
    QRectF rest = area;
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignTop,
                     tr("Step %1 of %2").arg(done).arg(tiles.tiles.size()));
    rest.setTop(rest.top() + kNumberRow * scale);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    const QString says = done > 0
                             ? fromText(tiles.tiles[static_cast<std::size_t>(done - 1)].caption)
                             : tr("Nothing is computed yet.");
    const QRectF used =
        QFontMetricsF(painter.font()).boundingRect(rest, Qt::TextWordWrap | Qt::AlignLeft, says);
    painter.drawText(rest, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, says);
    rest.setTop(rest.top() + used.height() + 8.0);
    if (done == 0)
        return;
    for (const auto& [name, value] : tiles.tiles[static_cast<std::size_t>(done - 1)].numbers) {
        const QRectF line(rest.x(), rest.y(), rest.width(), kNumberRow * scale);
        if (line.bottom() > area.bottom() + 2.0)
            break;
        const QString words = tileText(value);
        painter.setFont(theme.bold(TextRole::Body));
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 8.0;
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, words);
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text3);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(painter.font())
                             .elidedText(fromText(name), Qt::ElideRight, line.width() - width));
        rest.setTop(line.bottom());
    }
}

struct LegendEntry
{
    QColor fill;
    bool isHatched = false;
    QString words;
};

/// The entries are closer together where they would not fit otherwise.
void paintLegend(QPainter& painter, const QRectF& area, const LabTiles& tiles, const Theme& theme)
{
    constexpr double kSample = 22.0; ///< A square and the space after it.
    std::vector<LegendEntry> entries{{theme.accent, false, tr("current")},
                                     {theme.soft, false, tr("done")},
                                     {theme.masked, false, tr("pending")}};
    if (!tiles.skipped.empty())
        entries.push_back({theme.masked, true, tr("skipped")});
    painter.setFont(theme.font(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    double rest = area.width();
    for (const LegendEntry& entry : entries)
        rest -= kSample + metrics.horizontalAdvance(entry.words);
    const double gap = std::clamp(rest / static_cast<double>(entries.size()), 6.0, 20.0);
    double x = area.x();
    for (const LegendEntry& entry : entries) {
        const QRectF square(x, area.center().y() - 6, 16, 12);
        painter.fillRect(square, entry.fill);
        if (entry.isHatched)
            paintHatch(painter, square, theme.less);
        painter.setPen(theme.text2);
        painter.drawText(QRectF(x + kSample, area.y(), area.width(), area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.words);
        x += kSample + metrics.horizontalAdvance(entry.words) + gap;
    }
    const QString workers = tr("w0, w1 \u2026: the worker");
    if (hasWorkers(tiles) && x + metrics.horizontalAdvance(workers) <= area.right())
        painter.drawText(QRectF(x, area.y(), area.right() - x, area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, workers);
}

} // namespace

QSizeF tilesSize(const LabTiles& tiles, const Theme& theme)
{
    const double scale = theme.scale();
    return {(kAxis + kLargest * 0.7 * tiles.columns + kTextGap + kWords) * scale,
            (kAxis + kLargest * 0.7 * tiles.rows + kLegend) * scale};
}

TilesLayout::TilesLayout(QRectF area, const LabTiles& tiles, const Theme& theme)
{
    const double scale = theme.scale();
    const double axis = kAxis * scale;
    const QRectF inner = area.adjusted(axis, axis, 0, -kLegend * scale);
    const double words = std::min(kWords * scale, inner.width() * 0.5);
    const double across = (inner.width() - words - kTextGap) / std::max(tiles.columns, 1);
    const double down = inner.height() / std::max(tiles.rows, 1);
    m_edge = std::max(1.0, std::floor(std::min({across, down, kLargest * scale})));
    m_grid = {inner.x(), inner.y(), m_edge * tiles.columns, m_edge * tiles.rows};
    m_words = {m_grid.right() + kTextGap, area.y(), area.right() - m_grid.right() - kTextGap,
               area.height() - kLegend * scale};
    m_words.setWidth(std::min(m_words.width(), 1.5 * kWords * scale));
    m_legend = {area.x(), m_grid.bottom() + 2.0, area.width(), kLegend * scale - 4.0};
}

QRectF TilesLayout::cell(int row, int column) const
{
    const double gap = m_edge >= 10.0 ? 1.0 : 0.0;
    return {m_grid.x() + column * m_edge, m_grid.y() + row * m_edge, m_edge - gap, m_edge - gap};
}

void paintTiles(QPainter& painter, const QRectF& area, const LabTiles& tiles, int done,
                const Theme& theme)
{
    const TilesLayout layout(area, tiles, theme);
    const int shown = std::clamp(done, 0, static_cast<int>(tiles.tiles.size()));
    painter.save();
    paintGrid(painter, layout, tiles, shown, theme);
    paintAxes(painter, layout, tiles, theme);
    paintTileText(painter, layout.text(), tiles, shown, theme);
    paintLegend(painter, layout.legend(), tiles, theme);
    painter.restore();
}

QString describeTile(const LabTiles& tiles, int index)
{
    const LabTiles::Tile& tile = tiles.tiles[static_cast<std::size_t>(index)];
    QString words = tr("step %1 of %2, %3 %4, %5 %6")
                        .arg(index + 1)
                        .arg(tiles.tiles.size())
                        .arg(fromText(tiles.rowsName))
                        .arg(tile.row)
                        .arg(fromText(tiles.columnsName))
                        .arg(tile.column);
    if (hasWorkers(tiles))
        words += tr(", worker %1").arg(tile.worker);
    if (!tile.caption.empty())
        words += QStringLiteral(": ") + fromText(tile.caption);
    for (const auto& [name, value] : tile.numbers)
        words += QStringLiteral("; ") + fromText(name) + QLatin1Char(' ') + tileText(value);
    return words;
}

} // namespace headscope::ui
