#include "ui/pages/positions/positions_relative_paint.h"
#include "ui/pages/positions/positions_chart.h"
#include "ui/pages/positions/section_heading.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::ui {

namespace {

constexpr int kClocks = 4;
constexpr int kTableRows = 12;
constexpr int kBiasTokens = 16;
constexpr double kDegrees = 180.0 / std::numbers::pi;

/// A few indices from 0 to count - 1, evenly spaced, including both ends.
std::vector<int> spread(int count, int wanted)
{
    std::vector<int> result;
    for (int place = 0; place < std::min(count, wanted); ++place) {
        const int index = count <= wanted ? place : place * (count - 1) / (wanted - 1);
        if (result.empty() || index > result.back())
            result.push_back(index);
    }
    return result;
}

/// A text table whose first line is the heading.
void paintTable(QPainter& painter, QRectF area, const std::vector<QStringList>& lines,
                const Theme& theme, int strong = -1)
{
    if (lines.empty())
        return;
    const double height = 22.0 * theme.scale();
    const double width = area.width() / static_cast<double>(lines.front().size());
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const bool bold = static_cast<int>(line) == strong;
        painter.setFont(bold        ? theme.bold(TextRole::Body)
                        : line == 0 ? theme.font(TextRole::Caption)
                                    : theme.font(TextRole::Body));
        painter.setPen(line == 0 ? theme.text3 : bold ? theme.accent : theme.text);
        for (int column = 0; column < lines[line].size(); ++column)
            painter.drawText(
                QRectF(area.x() + column * width, area.y() + static_cast<double>(line) * height,
                       width - 8.0, height),
                static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), lines[line][column]);
    }
    painter.fillRect(QRectF(area.x(), area.y() + height, area.width(), 1.0), theme.line);
}

// ------------------------------------------------------------------------------ rotary positions

void paintHand(QPainter& painter, QPointF centre, double radius, double angle, const QColor& colour)
{
    const QPointF tip = centre + radius * QPointF(std::cos(angle), -std::sin(angle));
    painter.setPen(QPen(colour, 2.5));
    painter.drawLine(centre, tip);
    painter.setBrush(colour);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(tip, 4.5, 4.5);
}

/// One pair of channels: q rotated to m, k rotated to n, their lengths to scale.
void paintPair(QPainter& painter, QRectF cell, const RelativeContent& content, int pair,
               const Theme& theme)
{
    const RopeContent& rope = content.rope;
    const auto [first, second] = rope.channels(pair);
    const double frequency = rope.frequencies[static_cast<std::size_t>(pair)];
    const double q = std::hypot(double{rope.query[first]}, double{rope.query[second]});
    const double k = std::hypot(double{rope.key[first]}, double{rope.key[second]});
    const double longest = std::max({q, k, 1e-12});
    const double radius = std::min(cell.width() / 2.0 - 8.0, 44.0 * theme.scale());
    const QPointF centre(cell.center().x(), cell.y() + radius + 6.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line2, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(centre, radius, radius);
    const int m = content.options.key + content.options.distance;
    paintHand(painter, centre, radius * k / longest,
              std::atan2(double{rope.key[second]}, double{rope.key[first]}) +
                  content.options.key * frequency,
              theme.key);
    paintHand(painter, centre, radius * q / longest,
              std::atan2(double{rope.query[second]}, double{rope.query[first]}) + m * frequency,
              theme.accent);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double line = 17.0 * theme.scale();
    const double top = centre.y() + radius + 8.0;
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    painter.drawText(QRectF(cell.x(), top, cell.width(), line), static_cast<int>(Qt::AlignCenter),
                     tr("channels %1, %2").arg(first).arg(second));
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    painter.drawText(QRectF(cell.x(), top + line, cell.width(), line),
                     static_cast<int>(Qt::AlignCenter),
                     QStringLiteral("%1 \u00D7 %2\u00B0")
                         .arg(content.options.distance)
                         .arg(number(frequency * kDegrees, frequency > 0.1 ? 1 : 3)));
    painter.drawText(QRectF(cell.x(), top + 2.0 * line, cell.width(), line),
                     static_cast<int>(Qt::AlignCenter),
                     tr("adds %1").arg(signedNumber(rope.part(pair, content.options.distance), 3)));
}

ChartContent ropeChart(const RelativeContent& content)
{
    ChartContent chart;
    chart.title = tr("q\u00B7k by distance");
    chart.about = content.rope.source;
    chart.axis = tr("distance m \u2212 n");
    ChartCurve curve;
    for (int distance = 0; distance < kDistances; ++distance)
        curve.values.push_back(content.rope.score(distance, 0));
    curve.label = tr("score");
    chart.curves.push_back(std::move(curve));
    chart.marked = content.options.distance;
    chart.markedText = QStringLiteral("m \u2212 n = %1").arg(content.options.distance);
    return chart;
}

std::vector<QStringList> frequencyTable(const RopeContent& rope)
{
    const bool scaled = rope.frequencies != rope.plain;
    std::vector<QStringList> lines;
    lines.push_back(QStringList{tr("pair"), tr("\u00B0 per token"), tr("tokens per turn")});
    if (scaled)
        lines.back() << tr("scaled by");
    for (const int pair : spread(static_cast<int>(rope.frequencies.size()), kTableRows)) {
        const auto index = static_cast<std::size_t>(pair);
        const double frequency = rope.frequencies[index];
        lines.push_back({QString::number(pair), number(frequency * kDegrees, 3),
                         number(2.0 * std::numbers::pi / frequency, 1)});
        if (scaled)
            lines.back() << number(frequency / rope.plain[index], 3);
    }
    return lines;
}

void paintRope(QPainter& painter, QRectF area, const RelativeContent& content, const Theme& theme)
{
    const double s = theme.scale();
    const double side = std::min(360.0 * s, area.width() * 0.36);
    const QRectF left = area.adjusted(0, 0, -side - 32.0, 0);
    paintSectionHeading(painter, left.topLeft(), tr("Pairs rotate"),
                        tr("query at m = %1, key at n = %2")
                            .arg(content.options.key + content.options.distance)
                            .arg(content.options.key),
                        theme);
    const auto pairs =
        spread(static_cast<int>(content.rope.frequencies.size()) * 3 / 4 + 1, kClocks);
    const double width = left.width() / kClocks;
    for (std::size_t index = 0; index < pairs.size(); ++index)
        paintPair(painter,
                  QRectF(left.x() + static_cast<double>(index) * width, left.y() + 30.0 * s, width,
                         160.0 * s),
                  content, pairs[index], theme);
    paintChart(painter, left.adjusted(0, 216.0 * s, 0, 0), ropeChart(content), theme);
    const QRectF right(area.right() - side, area.y(), side, area.height());
    paintSectionHeading(painter, right.topLeft(), tr("Frequencies"),
                        content.rope.ofModel ? tr("of this model")
                                             : tr("base %1").arg(number(content.options.theta, 0)),
                        theme);
    paintTable(painter, right.adjusted(0, 30.0 * s, 0, 0), frequencyTable(content.rope), theme);
}

// ------------------------------------------------------------------------------------------ ALiBi

ChartContent alibiChart(const RelativeContent& content)
{
    ChartContent chart;
    chart.title = tr("Penalty by distance");
    chart.about = tr("%1 heads").arg(content.alibi.slopes.size());
    chart.axis = tr("distance in tokens");
    const auto named = spread(static_cast<int>(content.alibi.slopes.size()), 8);
    for (int head = 0; head < static_cast<int>(content.alibi.slopes.size()); ++head) {
        const auto place = std::find(named.begin(), named.end(), head);
        ChartCurve curve;
        curve.hue = place == named.end() ? -1 : static_cast<int>(place - named.begin());
        if (place != named.end())
            curve.label = tr("head %1").arg(head);
        for (int distance = 0; distance < kDistances; ++distance)
            curve.values.push_back(-double{content.alibi.slopes[static_cast<std::size_t>(head)]} *
                                   distance);
        chart.curves.push_back(std::move(curve));
    }
    chart.marked = content.options.distance;
    chart.markedText = tr("distance %1").arg(content.options.distance);
    return chart;
}

HeatmapContent biasMatrix(const RelativeContent& content)
{
    const auto slope = content.alibi.slopes[static_cast<std::size_t>(content.options.head)];
    std::vector<float> values;
    QStringList labels;
    for (int row = 0; row < kBiasTokens; ++row) {
        labels << QString::number(row);
        for (int column = 0; column < kBiasTokens; ++column)
            values.push_back(-slope * static_cast<float>(row - column));
    }
    HeatmapContent map;
    map.matrix = HeatmapMatrix::copyOf(std::move(values), kBiasTokens, kBiasTokens);
    map.mask = HeatmapMask::causal();
    const float range = std::max(slope * static_cast<float>(kBiasTokens - 1), 1e-6F);
    map.scale = ColourScale::difference(range);
    map.rowLabels = labels;
    map.columnLabels = labels;
    return map;
}

void paintAlibi(QPainter& painter, QRectF area, const RelativeContent& content, const Theme& theme)
{
    const double s = theme.scale();
    const double side = std::min(400.0 * s, area.width() * 0.42);
    const QRectF left = area.adjusted(0, 0, -side - 32.0, 0);
    paintChart(painter, left.adjusted(0, 0, 0, -left.height() * 0.4), alibiChart(content), theme);
    std::vector<QStringList> lines{
        {tr("head"), tr("slope"), tr("at distance %1").arg(content.options.distance)}};
    int strong = -1;
    std::vector<int> heads = spread(static_cast<int>(content.alibi.slopes.size()), 8);
    if (std::find(heads.begin(), heads.end(), content.options.head) == heads.end())
        heads.push_back(content.options.head);
    for (const int head : heads) {
        const double slope = double{content.alibi.slopes[static_cast<std::size_t>(head)]};
        strong = head == content.options.head ? static_cast<int>(lines.size()) : strong;
        lines.push_back({QString::number(head), number(slope, 5),
                         number(-slope * content.options.distance, 4)});
    }
    paintTable(painter,
               QRectF(left.x(), left.bottom() - left.height() * 0.4 + 8.0,
                      std::min(left.width(), 420.0 * s), 240.0 * s),
               lines, theme, strong);
    const QRectF right(area.right() - side, area.y(), side, area.height());
    paintSectionHeading(painter, right.topLeft(), tr("Bias of head %1").arg(content.options.head),
                        tr("%1 tokens").arg(kBiasTokens), theme);
    const HeatmapContent map = biasMatrix(content);
    HeatmapOptions options;
    options.numbers = false;
    options.cellsAsShapes = true;
    const HeatmapLayout layout(right.adjusted(0, 30.0 * s, 0, -60.0 * s), map, options, theme);
    paintHeatmap(painter, layout, heatmapImage(map, theme, layout.imageSize()), map, options,
                 theme);
    ColourBarContent bar;
    bar.scale = map.scale;
    bar.title = tr("Bias, \u2212%1 to +%1").arg(number(double{map.scale.high}, 2));
    paintColourBar(painter,
                   QRectF(layout.cells().x(), layout.cells().bottom() + 12.0,
                          layout.cells().width(), 48.0 * s),
                   bar, theme);
}

// ------------------------------------------------------------------------------------- T5 buckets

ChartContent bucketChart(const RelativeContent& content)
{
    ChartContent chart;
    const RelativeBuckets& buckets = content.buckets.buckets;
    chart.title = tr("Bucket of each distance");
    chart.about = tr("%1 buckets, the last from distance %2 on, %3")
                      .arg(buckets.count)
                      .arg(buckets.maxDistance)
                      .arg(buckets.bidirectional ? tr("both directions") : tr("backward only"));
    chart.axis = tr("tokens back");
    chart.decimals = 0;
    ChartCurve back;
    back.steps = true;
    for (int distance = 0; distance < bucketDistances(buckets); ++distance)
        back.values.push_back(static_cast<double>(buckets.bucketOf(-distance)));
    back.label = tr("behind");
    chart.curves.push_back(std::move(back));
    if (buckets.bidirectional) {
        ChartCurve ahead;
        ahead.steps = true;
        ahead.hue = 1;
        for (int distance = 0; distance < bucketDistances(buckets); ++distance)
            ahead.values.push_back(static_cast<double>(buckets.bucketOf(distance)));
        ahead.label = tr("ahead");
        chart.curves.push_back(std::move(ahead));
    }
    chart.marked = content.options.distance;
    chart.markedText = tr("distance %1: bucket %2")
                           .arg(content.options.distance)
                           .arg(buckets.bucketOf(-content.options.distance));
    return chart;
}

ChartContent biasChart(const RelativeContent& content)
{
    ChartContent chart;
    chart.title = tr("Learned bias by distance");
    chart.about = tr("head %1 of this model, among the others").arg(content.options.head);
    chart.axis = tr("tokens back");
    const auto heads = static_cast<int>(content.buckets.biases.size());
    for (int head = 0; head < heads; ++head) {
        if (head == content.options.head)
            continue;
        chart.curves.push_back(
            {{}, content.buckets.biases[static_cast<std::size_t>(head)], -1, false});
    }
    chart.curves.push_back({tr("head %1").arg(content.options.head),
                            content.buckets.biases[static_cast<std::size_t>(content.options.head)],
                            0, false});
    chart.marked = content.options.distance;
    return chart;
}

void paintBuckets(QPainter& painter, QRectF area, const RelativeContent& content,
                  const Theme& theme)
{
    const bool learned = !content.buckets.biases.empty();
    const double upper = area.height() * (learned ? 0.5 : 0.7);
    paintChart(painter, QRectF(area.x(), area.y(), area.width(), upper), bucketChart(content),
               theme);
    if (learned) {
        paintChart(painter, area.adjusted(0, upper + 8.0, 0, 0), biasChart(content), theme);
        return;
    }
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(area.x(), area.y() + upper + 8.0, area.width(), 24.0),
                     static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                     tr("The open model has no relative bias, so there is none to show."));
}

} // namespace

void paintRelative(QPainter& painter, QRectF area, const RelativeContent& content,
                   const Theme& theme)
{
    painter.save();
    if (content.scheme == Positions::Rope)
        paintRope(painter, area, content, theme);
    else if (content.scheme == Positions::Alibi)
        paintAlibi(painter, area, content, theme);
    else
        paintBuckets(painter, area, content, theme);
    painter.restore();
}

} // namespace headscope::ui
