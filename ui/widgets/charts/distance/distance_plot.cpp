#include "ui/widgets/charts/distance/distance_plot.h"

#include "ui/widgets/charts/scene/decimate.h"
#include "ui/widgets/charts/scene/end_labels.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLabelPitch = 15.0;
constexpr double kLabelGap = 10.0; ///< Minimum gap between the labels of two bins.
constexpr double kSquare = 10.0;
constexpr double kEndRoom = 56.0; ///< Space for the number of a head.

} // namespace

DistancePlot::DistancePlot(const DistanceContent& content, QSizeF size, const Theme& theme)
    : m_content(content)
    , m_theme(theme)
    , m_axes(QRectF(QPointF(), size), content, theme)
{
    m_plot.size = size;
    m_plot.area = m_axes.plot();
    if (content.isEmpty())
        return;
    addReadout();
    addWeights();
    addBins();
    addTitle();
    for (const bool subject : {false, true})
        for (const DistanceCurve& curve : content.curves)
            if (isSubject(curve) == subject)
                addCurve(curve);
    addCursor();
    addEnds();
}

QColor DistancePlot::hueOf(const DistanceCurve& curve) const
{
    return m_theme.waveHue(curve.slot); // same colours as the buttons that toggle heads
}

QPen DistancePlot::penOf(const DistanceCurve& curve) const
{
    QPen pen(hueOf(curve), isSubject(curve) ? 2.5 : 1.5);
    pen.setCapStyle(Qt::RoundCap);
    if (curve.slot >= static_cast<int>(m_theme.heads.size()))
        pen.setDashPattern({6, 4});
    return pen;
}

void DistancePlot::addReadout()
{
    const QFont font = m_theme.font(TextRole::Body);
    const QString rest = m_content.isDifference ? tr("Change of the mean weight by distance")
                                                : tr("Mean weight by distance");
    const QString text =
        m_content.bin ? describeBin(m_content, *m_content.bin)
                      : rest + QStringLiteral(" \u00B7 ") + tr("point to a distance to read it");
    const QRectF area = m_axes.readout();
    m_plot.texts.push_back({area, Qt::AlignLeft, font, m_content.bin ? m_theme.text : m_theme.text3,
                            QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width())});
}

void DistancePlot::addWeights()
{
    const ChartAxis& axis = m_axes.weights();
    const double height = m_plot.area.height();
    const int decimals = axis.decimals(m_axes.mostTicks());
    m_plot.left = {{}, m_theme.font(TextRole::Caption), m_theme.text3, m_theme.line};
    for (const double tick : axis.ticks(m_axes.mostTicks()))
        m_plot.left.ticks.push_back(
            {onPixel(axis.place(tick), height),
             m_content.isDifference ? signedNumber(tick, decimals) : number(tick, decimals)});
    const double zero = onPixel(axis.place(0.0), height);
    if (m_content.isDifference)
        m_plot.lines.push_back({QPen(m_theme.line2, 1.0), {{0.0, zero}, {1.0, zero}}});
}

/// As many labels as fit, always including the nearest distance back.
std::vector<int> DistancePlot::labelledBins() const
{
    const QFontMetricsF metrics(m_theme.font(TextRole::Caption));
    const auto& bins = m_content.bins;
    const auto isApart = [&](int left, int right) {
        const auto reach = [&](int bin) {
            const QString label = binLabel(bins[static_cast<std::size_t>(bin)]);
            return (metrics.horizontalAdvance(label) + kLabelGap) / 2;
        };
        return m_axes.x(left) + reach(left) <= m_axes.x(right) - reach(right);
    };
    const int last = static_cast<int>(bins.size()) - 1;
    const auto found = std::find_if(bins.begin(), bins.end(),
                                    [](const DistanceBin& bin) { return bin.last >= 0; });
    const int nearest = std::min(static_cast<int>(found - bins.begin()), last);
    std::vector<int> labelled{nearest};
    for (int bin = nearest - 1; bin >= 0; --bin)
        if (isApart(bin, labelled.back()))
            labelled.push_back(bin);
    std::reverse(labelled.begin(), labelled.end());
    for (int bin = nearest + 1; bin <= last; ++bin)
        if (isApart(labelled.back(), bin))
            labelled.push_back(bin);
    return labelled;
}

void DistancePlot::addBins()
{
    m_plot.below = {{}, m_theme.font(TextRole::Caption), m_theme.text3, m_theme.line2};
    for (const int bin : labelledBins())
        m_plot.below.ticks.push_back({onPixel(m_axes.place(bin), m_plot.area.width()),
                                      binLabel(m_content.bins[static_cast<std::size_t>(bin)])});
}

void DistancePlot::addTitle()
{
    const QString unit = m_content.words ? tr("words") : tr("tokens");
    const auto add = [this](Qt::Alignment side, const QString& text) {
        m_plot.texts.push_back(
            {m_axes.below(), side, m_theme.font(TextRole::Caption), m_theme.text2, text});
    };
    if (!m_content.isTwoSided())
        return add(Qt::AlignLeft,
                   tr("%1 from the query back to the key").arg(unit) + QStringLiteral(" \u2192"));
    add(Qt::AlignLeft, QStringLiteral("\u2190 ") + tr("keys ahead, in %1").arg(unit));
    add(Qt::AlignRight, tr("keys behind, in %1").arg(unit) + QStringLiteral(" \u2192"));
}

/// Adds a line for each stretch of finite values.
void DistancePlot::addCurve(const DistanceCurve& curve)
{
    const QPen pen = penOf(curve);
    std::vector<QPointF> stretch;
    const auto endStretch = [&] {
        const auto kept = decimated(stretch, std::max(1, static_cast<int>(m_plot.area.width())));
        if (kept.size() > 1)
            m_plot.lines.push_back({pen, {kept.begin(), kept.end()}});
        stretch.clear();
    };
    for (std::size_t bin = 0; bin < curve.values.size(); ++bin) {
        if (!std::isfinite(curve.values[bin]))
            endStretch();
        else
            stretch.emplace_back(m_axes.place(static_cast<int>(bin)),
                                 keptInside(m_axes.weights().place(curve.values[bin]), pen.widthF(),
                                            m_plot.area.height()));
    }
    endStretch();
    if (curve.values.size() == 1 && std::isfinite(curve.values.front()))
        m_plot.dots.push_back({{m_axes.place(0), m_axes.weights().place(curve.values.front())},
                               3.0,
                               hueOf(curve),
                               hueOf(curve)});
}

void DistancePlot::addCursor()
{
    if (!m_content.bin)
        return;
    const double place = m_axes.place(*m_content.bin);
    const double x = onPixel(place, m_plot.area.width());
    m_plot.lines.push_back({QPen(m_theme.line2, 1.0), {{x, 0.0}, {x, 1.0}}});
    for (const DistanceCurve& curve : m_content.curves) {
        const double value = curve.values[static_cast<std::size_t>(*m_content.bin)];
        if (std::isfinite(value))
            m_plot.dots.push_back(
                {{place, m_axes.weights().place(value)}, 4.5, hueOf(curve), m_theme.surface});
    }
}

void DistancePlot::addEnds()
{
    const QRectF area = m_plot.area;
    std::vector<double> heights;
    for (const DistanceCurve& curve : m_content.curves) {
        const double last = curve.values.empty() ? 0.0 : curve.values.back();
        heights.push_back(m_axes.y(std::isfinite(last) ? last : 0.0));
    }
    heights = movedApart(heights, kLabelPitch * m_theme.scale(), area.bottom());
    const double x = area.right() + 12;
    for (std::size_t index = 0; index < heights.size(); ++index) {
        const DistanceCurve& curve = m_content.curves[index];
        const double y = heights[index];
        m_plot.boxes.push_back({{x, std::round(y) - 5, kSquare, kSquare}, hueOf(curve)});
        m_plot.texts.push_back(
            {{x + kSquare + 6, y - 10, kEndRoom, 20},
             Qt::AlignLeft,
             isSubject(curve) ? m_theme.bold(TextRole::Body) : m_theme.font(TextRole::Body),
             m_content.stale ? m_theme.text3 : m_theme.text,
             QString::number(curve.head)});
    }
}

} // namespace headscope::ui
