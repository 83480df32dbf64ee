#include "ui/widgets/attention/qk_paint.h"

#include "ui/widgets/formula/formula.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// A name, elided if necessary, and its position, both left-aligned.
struct TokenLabel
{
    QString text;
    int position = 0;
    QColor colour;
    bool strong = false;
};

void paintToken(QPainter& painter, QRectF place, const TokenLabel& label, const Theme& theme)
{
    const QFont font = label.strong ? theme.bold(TextRole::Table) : theme.font(TextRole::Table);
    const QFontMetricsF metrics(font);
    const QFontMetricsF small(theme.font(TextRole::Caption));
    const QString digits = QString::number(label.position);
    const double room = place.width() - small.horizontalAdvance(digits) - 6.0;
    const QString text = metrics.elidedText(label.text, Qt::ElideRight, std::max(room, 8.0));
    const double baseline = place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    painter.setFont(font);
    painter.setPen(label.colour);
    painter.drawText(QPointF(place.x(), baseline), text);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(label.strong ? label.colour : theme.text3);
    painter.drawText(QPointF(place.x() + metrics.horizontalAdvance(text) + 5.0, baseline), digits);
}

void paintStrip(QPainter& painter, QRectF place, const QImage& image, int row, bool asShapes)
{
    if (image.isNull() || row >= image.height())
        return;
    if (!asShapes) {
        painter.drawImage(place, image, QRectF(0, row, image.width(), 1));
        return;
    }
    const double width = place.width() / image.width();
    for (int column = 0; column < image.width(); ++column)
        painter.fillRect(QRectF(place.x() + column * width, place.y(), width, place.height()),
                         QColor(image.pixel(column, row)));
}

/// Paints numbers in the cells of a strip if there is room.
void paintCellNumbers(QPainter& painter, const QkLayout& layout, const QkContent& content,
                      const Theme& theme)
{
    if (layout.pairCell(0, 0).width() < 36.0 * theme.scale())
        return;
    painter.setFont(theme.font(TextRole::Caption));
    const ColourLookup vectors(ColourScale::difference(content.vectorRange), theme);
    const ColourLookup products(ColourScale::difference(content.productRange), theme);
    for (int column = 0; column < content.columns(); ++column) {
        const float values[] = {content.queryVector.at({0, column}),
                                content.keyVectors.at({content.key, column}),
                                content.products.at({content.key, column})};
        for (int strip = 0; strip < 3; ++strip) {
            const ColourLookup& lookup = strip < 2 ? vectors : products;
            const QRectF cell = layout.pairCell(strip, column);
            const QString text = cellNumber(static_cast<double>(values[strip]), true);
            if (QFontMetricsF(painter.font()).horizontalAdvance(text) > cell.width())
                continue;
            painter.setPen(cellTextColour(lookup.colour(values[strip])));
            painter.drawText(cell, Qt::AlignCenter, text);
        }
    }
}

/// Paints as many dimension numbers under the strips as fit.
void paintChannels(QPainter& painter, const QkLayout& layout, const QkContent& content,
                   const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Caption));
    const double cell = layout.pairCell(2, 0).width();
    const int step = std::max(1, static_cast<int>(std::ceil(26.0 * theme.scale() / cell)));
    for (int column = 0; column < content.columns(); ++column) {
        const bool pointed = content.column == column;
        const bool near = content.column && std::abs(*content.column - column) < step;
        if (!pointed && (column % step != 0 || near))
            continue;
        const QRectF under =
            layout.pairCell(2, column).translated(0, layout.pairCell(2, 0).height());
        painter.setPen(pointed ? theme.text : theme.text3);
        painter.drawText(QRectF(under.center().x() - 20, under.y(), 40, 18.0 * theme.scale()),
                         Qt::AlignCenter,
                         QString::number(content.channels[static_cast<std::size_t>(column)]));
    }
}

/// Paints the double ring of a current cell, which is visible on any colour.
void paintRing(QPainter& painter, QRectF cell, const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 2.0));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(theme.surface, 1.0));
    if (cell.width() >= 6.0)
        painter.drawRect(cell.adjusted(1, 1, -1, -1));
}

void paintPair(QPainter& painter, const QkLayout& layout, const QkContent& content,
               const QkImages& images, const Theme& theme)
{
    const QkKey& key = content.keys[static_cast<std::size_t>(content.key)];
    const double label = layout.labelWidth();
    const auto before = [&](int strip) {
        const QRectF place = layout.pairStrip(strip);
        return QRectF(place.x() - label + 8.0, place.y(), label - 16.0, place.height());
    };
    paintToken(
        painter, before(0),
        {content.query, content.queryPosition, content.stale ? theme.text3 : theme.accent, true},
        theme);
    paintToken(painter, before(1),
               {key.label, key.position, content.stale ? theme.text3 : theme.key, true}, theme);
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text2);
    painter.drawText(before(2), Qt::AlignLeft | Qt::AlignVCenter,
                     content.isDifference ? tr("q \u00D7 k, change") : tr("q \u00D7 k"));
    paintStrip(painter, layout.pairStrip(0), images.query, 0, images.asShapes);
    paintStrip(painter, layout.pairStrip(1), images.keys, content.key, images.asShapes);
    paintStrip(painter, layout.pairStrip(2), images.products, content.key, images.asShapes);
    paintCellNumbers(painter, layout, content, theme);
    paintChannels(painter, layout, content, theme);
    const QRectF strip = layout.pairStrip(2);
    painter.setFont(theme.bold(TextRole::Table));
    painter.setPen(theme.text);
    painter.drawText(QRectF(strip.right() + 8, strip.y(), 120, strip.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("\u03A3 ") + number(key.numbers.front(), 3));
    for (int which = 0; content.column && which < 3; ++which)
        paintRing(painter, layout.pairCell(which, *content.column), theme);
}

void paintReadout(QPainter& painter, const QkLayout& layout, const QkContent& content,
                  const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(content.column ? theme.text : theme.text3);
    const QString text = content.column
                             ? describeColumn(content, *content.column)
                             : tr("Point to a dimension to read it, or press \u2190 and \u2192");
    const QFontMetricsF metrics(painter.font());
    painter.drawText(layout.readout(), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideRight, layout.readout().width()));
}

void paintLegends(QPainter& painter, const QkLayout& layout, const QkContent& content,
                  const Theme& theme)
{
    const QString titles[] = {tr("q and k, scaled to this row"),
                              tr("q \u00D7 k, scaled to this row")};
    const float ranges[] = {content.vectorRange, content.productRange};
    painter.setFont(theme.font(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    for (int which = 0; which < 2; ++which) {
        const QRectF place = layout.legend(which);
        const double width = metrics.horizontalAdvance(titles[which]) + 12.0;
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text2);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, titles[which]);
        ColourBarContent bar;
        bar.scale = ColourScale::difference(ranges[which]);
        bar.inlineEnds = true;
        paintColourBar(painter, place.adjusted(width, 0, 0, 0), bar, theme);
    }
}

void paintHeading(QPainter& painter, const QkLayout& layout, const QkContent& content,
                  const Theme& theme)
{
    const QRectF line = layout.heading();
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.key);
    const QRectF first = layout.keyStrip(0);
    const QRectF second = layout.productStrip(0);
    const auto left = Qt::AlignLeft | Qt::AlignVCenter;
    painter.drawText(line.adjusted(8, 0, 0, 0), left, tr("key"));
    painter.drawText(QRectF(first.x(), line.y(), first.width(), line.height()), left, tr("k"));
    painter.setPen(theme.text2);
    painter.drawText(QRectF(second.x(), line.y(), second.width(), line.height()), left,
                     tr("q \u00D7 k"));
    for (std::size_t stage = 0; stage < content.stages.size(); ++stage) {
        const QRectF column = layout.number(0, static_cast<int>(stage));
        painter.drawText(QRectF(column.x() - 16, line.y(), column.width() + 16, line.height()),
                         Qt::AlignRight | Qt::AlignVCenter, content.stages[stage].title);
    }
    const QRectF bar = layout.bar(0);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(bar.x(), line.y(), bar.width(), line.height()), left,
                     content.isDifference ? tr("\u22121 to +1") : tr("0 to 1"));
    painter.fillRect(QRectF(line.x(), line.bottom() - 1, line.width(), 1), theme.line);
}

void paintBar(QPainter& painter, QRectF track, const QkContent& content, int key,
              const Theme& theme)
{
    const double weight = content.keys[static_cast<std::size_t>(key)].weight;
    if (!content.isDifference) {
        if (weight > 0.0)
            painter.fillRect(QRectF(track.x(), track.y(),
                                    std::max(1.0, std::round(track.width() * weight)),
                                    track.height()),
                             key == content.key ? theme.key : theme.bar);
        return;
    }
    const double middle = std::round(track.center().x());
    const double width = std::round(track.width() / 2.0 * std::min(std::abs(weight), 1.0));
    painter.fillRect(QRectF(middle, track.y() - 2, 1, track.height() + 4), theme.line2);
    if (weight != 0.0)
        painter.fillRect(QRectF(weight > 0.0 ? middle : middle - std::max(width, 1.0), track.y(),
                                std::max(width, 1.0), track.height()),
                         weight > 0.0 ? theme.more : theme.less);
}

void paintKey(QPainter& painter, const QkLayout& layout, const QkContent& content, int key,
              const QkImages& images, const Theme& theme)
{
    const QkKey& row = content.keys[static_cast<std::size_t>(key)];
    const bool chosen = key == content.key;
    if (chosen)
        painter.fillRect(layout.row(key), theme.keySoft);
    const bool faint = row.masked || content.stale;
    const QColor colour = chosen ? theme.key : faint ? theme.text3 : theme.text;
    const QRectF line = layout.row(key);
    paintToken(painter, QRectF(line.x() + 8, line.y(), layout.labelWidth() - 16, line.height()),
               {row.label, row.position, colour, chosen}, theme);
    paintStrip(painter, layout.keyStrip(key), images.keys, key, images.asShapes);
    paintStrip(painter, layout.productStrip(key), images.products, key, images.asShapes);
    painter.setFont(chosen ? theme.bold(TextRole::Table) : theme.font(TextRole::Table));
    painter.setPen(chosen ? theme.text : faint ? theme.text3 : theme.text2);
    for (std::size_t stage = 0; stage < row.numbers.size(); ++stage)
        painter.drawText(layout.number(key, static_cast<int>(stage)),
                         Qt::AlignRight | Qt::AlignVCenter,
                         stageText(content, key, static_cast<int>(stage)));
    paintBar(painter, layout.bar(key), content, key, theme);
}

void paintFormulas(QPainter& painter, const QkLayout& layout, const QkContent& content,
                   const Theme& theme)
{
    const QRectF area = layout.formulas();
    double y = area.y() + 8.0;
    for (const Math& formula : content.formulas) {
        const double pixels = fittingPixels(formula, 15.0, area.width() - 8.0, theme);
        paintFormula(painter, QPointF(area.x() + 8, y), formula, pixels, theme);
        y += (area.height() - 8.0) / static_cast<double>(content.formulas.size());
    }
}

QImage stripImage(const HeatmapMatrix& matrix, float range, const Theme& theme, double pixels)
{
    HeatmapContent map;
    map.matrix = matrix;
    map.scale = ColourScale::difference(range);
    const int width = std::clamp(static_cast<int>(pixels), 1, matrix.columns);
    return matrix.isEmpty() ? QImage() : heatmapImage(map, theme, QSize(width, matrix.rows));
}

} // namespace

QkImages qkImages(const QkContent& content, const Theme& theme, const QkLayout& layout,
                  double pixelRatio)
{
    const double pixels = layout.pairStrip(0).width() * pixelRatio;
    return {stripImage(content.queryVector, content.vectorRange, theme, pixels),
            stripImage(content.keyVectors, content.vectorRange, theme, pixels),
            stripImage(content.products, content.productRange, theme, pixels), false};
}

void paintQk(QPainter& painter, const QkLayout& layout, const QkContent& content,
             const QkImages& images, const Theme& theme)
{
    if (content.isEmpty() || content.key < 0)
        return;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    paintPair(painter, layout, content, images, theme);
    paintReadout(painter, layout, content, theme);
    paintLegends(painter, layout, content, theme);
    paintHeading(painter, layout, content, theme);
    painter.save();
    painter.setClipRect(layout.rows(), Qt::IntersectClip);
    for (int key = 0; key < static_cast<int>(content.keys.size()); ++key)
        if (layout.row(key).intersects(layout.rows()))
            paintKey(painter, layout, content, key, images, theme);
    painter.restore();
    paintFormulas(painter, layout, content, theme);
}

} // namespace headscope::ui
