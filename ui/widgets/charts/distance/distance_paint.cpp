#include "ui/widgets/charts/distance/distance_paint.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLabelPitch = 15.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("Distance", text);
}

int decimalsOf(double step)
{
    return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

QColor hueOf(const DistanceCurve& curve, const Theme& theme)
{
    return theme.waveHue(curve.slot); // as the squares that switch heads on and off
}

void paintGrid(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
               const Theme& theme)
{
    const QRectF plot = layout.plot();
    painter.setFont(theme.font(TextRole::Caption));
    const double left = DistanceLayout::kLeft * theme.scale();
    const int decimals = decimalsOf(layout.step());
    const int lines = static_cast<int>(std::lround((layout.high() - layout.low()) / layout.step()));
    for (int line = 0; line <= lines; ++line) {
        const double value = layout.low() + line * layout.step();
        const double y = std::round(layout.y(value));
        const bool isZero = std::abs(value) < layout.step() / 2.0;
        painter.fillRect(QRectF(plot.x(), y, plot.width(), 1), isZero ? theme.line2 : theme.line);
        painter.setPen(theme.text3);
        painter.drawText(
            QRectF(plot.x() - left, y - 10, left - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
            content.isDifference ? signedNumber(value, decimals) : number(value, decimals));
    }
}

/// As many labels as there is room for; 0 always.
void paintBins(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
               const Theme& theme)
{
    const QRectF plot = layout.plot();
    painter.setFont(theme.font(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const int bins = static_cast<int>(content.bins.size());
    int zero = 0;
    while (zero + 1 < bins && content.bins[static_cast<std::size_t>(zero)].last < 0)
        ++zero;
    const auto label = [&](int bin) {
        const QString text = binLabel(content.bins[static_cast<std::size_t>(bin)]);
        const double width = metrics.horizontalAdvance(text) + 10.0;
        painter.fillRect(QRectF(std::round(layout.x(bin)), plot.bottom(), 1, 4), theme.line2);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(layout.x(bin) - width / 2, plot.bottom() + 4, width, 18),
                         Qt::AlignCenter, text);
        return width;
    };
    double free = layout.x(zero) + label(zero) / 2;
    const auto widthOf = [&](int bin) {
        return metrics.horizontalAdvance(binLabel(content.bins[static_cast<std::size_t>(bin)])) +
               10.0;
    };
    for (int bin = zero + 1; bin < bins; ++bin)
        if (layout.x(bin) - widthOf(bin) / 2 >= free)
            free = layout.x(bin) + label(bin) / 2;
    free = layout.x(zero) - widthOf(zero) / 2;
    for (int bin = zero - 1; bin >= 0; --bin)
        if (layout.x(bin) + widthOf(bin) / 2 <= free)
            free = layout.x(bin) - label(bin) / 2;
}

void paintAxisTitle(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                    const Theme& theme)
{
    const QRectF plot = layout.plot();
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    const QRectF under(plot.x(), plot.bottom() + 22, plot.width(), 20);
    const QString unit = content.words ? tr("words") : tr("tokens");
    if (content.isTwoSided()) {
        painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("\u2190 ") + tr("keys ahead, in %1").arg(unit));
        painter.drawText(under, Qt::AlignRight | Qt::AlignVCenter,
                         tr("keys behind, in %1").arg(unit) + QStringLiteral(" \u2192"));
        return;
    }
    painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter,
                     tr("%1 from the query back to the key").arg(unit) + QStringLiteral(" \u2192"));
}

/// As segments: the stroker is slow for long paths of wide pens.
void paintCurve(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                const DistanceCurve& curve, const Theme& theme)
{
    const bool subject = curve.head == content.subject;
    QPen pen(hueOf(curve, theme), subject ? 2.5 : 1.5);
    pen.setCapStyle(Qt::RoundCap);
    if (curve.slot >= static_cast<int>(theme.heads.size()))
        pen.setDashPattern({6, 4});
    painter.setPen(pen);
    QVector<QLineF> lines;
    for (std::size_t bin = 1; bin < curve.values.size(); ++bin) {
        const double a = curve.values[bin - 1];
        const double b = curve.values[bin];
        if (std::isfinite(a) && std::isfinite(b))
            lines.append({layout.x(static_cast<int>(bin) - 1), layout.y(a),
                          layout.x(static_cast<int>(bin)), layout.y(b)});
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawLines(lines);
    if (curve.values.size() == 1 && std::isfinite(curve.values.front())) {
        painter.setBrush(hueOf(curve, theme));
        painter.drawEllipse(QPointF(layout.x(0), layout.y(curve.values.front())), 3, 3);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

struct EndLabel
{
    const DistanceCurve* curve;
    double y;
};

/// The curves end in their numbers, moved apart.
void paintEnds(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
               const Theme& theme)
{
    const QRectF plot = layout.plot();
    const double pitch = kLabelPitch * theme.scale();
    std::vector<EndLabel> labels;
    for (const DistanceCurve& curve : content.curves) {
        const double last = curve.values.empty() ? 0.0 : curve.values.back();
        labels.push_back({&curve, layout.y(std::isfinite(last) ? last : 0.0)});
    }
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + pitch);
    const double over = labels.empty() ? 0.0 : labels.back().y - plot.bottom();
    double limit = plot.bottom();
    for (std::size_t i = labels.size(); over > 0.0 && i-- > 0; limit -= pitch)
        labels[i].y = std::min(labels[i].y, limit);
    for (const EndLabel& label : labels) {
        const bool subject = label.curve->head == content.subject;
        const double x = plot.right() + 12;
        painter.fillRect(QRectF(x, std::round(label.y) - 5, 10, 10), hueOf(*label.curve, theme));
        painter.setFont(subject ? theme.bold(TextRole::Body) : theme.font(TextRole::Body));
        painter.setPen(content.stale ? theme.text3 : theme.text);
        painter.drawText(QRectF(x + 16, label.y - 10, DistanceLayout::kRight, 20),
                         Qt::AlignLeft | Qt::AlignVCenter, QString::number(label.curve->head));
    }
}

void paintReadout(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                  const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(content.bin ? theme.text : theme.text3);
    const QString rest = content.isDifference ? tr("Change of the mean weight by distance")
                                              : tr("Mean weight by distance");
    const QString text =
        content.bin ? describeBin(content, *content.bin)
                    : rest + QStringLiteral(" \u00B7 ") + tr("point at a distance to read it");
    painter.drawText(
        layout.readout(), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, layout.readout().width()));
}

void paintBinMark(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                  const Theme& theme)
{
    if (!content.bin)
        return;
    const double x = std::round(layout.x(*content.bin));
    painter.fillRect(QRectF(x, layout.plot().top(), 1, layout.plot().height()), theme.line2);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const DistanceCurve& curve : content.curves) {
        const double value = curve.values[static_cast<std::size_t>(*content.bin)];
        if (!std::isfinite(value))
            continue;
        painter.setPen(QPen(theme.surface, 1.5));
        painter.setBrush(hueOf(curve, theme));
        painter.drawEllipse(QPointF(layout.x(*content.bin), layout.y(value)), 4.5, 4.5);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
}

} // namespace

void paintDistance(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                   const Theme& theme)
{
    if (content.isEmpty())
        return;
    paintReadout(painter, layout, content, theme);
    paintGrid(painter, layout, content, theme);
    paintBins(painter, layout, content, theme);
    paintAxisTitle(painter, layout, content, theme);
    for (const bool subject : {false, true})
        for (const DistanceCurve& curve : content.curves)
            if ((curve.head == content.subject) == subject)
                paintCurve(painter, layout, content, curve, theme);
    paintBinMark(painter, layout, content, theme);
    paintEnds(painter, layout, content, theme);
}

} // namespace headscope::ui
