#include "ui/widgets/style/colour_bar.h"

#include "ui/widgets/readable.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kBarHeight = 10.0;
constexpr double kBarWidth = 280.0;
constexpr double kLeastBar = 144.0;
constexpr double kGap = 48.0; ///< Preferred gap before the swatch, at least a third of it.

QString endText(double value, bool isSigned)
{
    const int decimals = value == std::round(value) ? 0 : (std::abs(value) < 10 ? 2 : 1);
    return isSigned ? signedNumber(value, decimals) : number(value, decimals);
}

QString middleText(double value, bool isSigned)
{
    const int decimals =
        value == std::round(value) ? 0 : (value * 10 == std::round(value * 10) ? 1 : 2);
    return isSigned ? signedNumber(value, decimals) : number(value, decimals);
}

/// Paints the gradient as an image with one pixel per entry, so that exports need no gradient.
void paintRamp(QPainter& painter, QRectF bar, const ColourScale& scale, const Theme& theme)
{
    const ColourLookup lookup(scale, theme);
    constexpr int kSteps = 255;
    QImage ramp(kSteps, 1, QImage::Format_RGB32);
    for (int step = 0; step < kSteps; ++step)
        ramp.setPixel(step, 0, lookup.level(static_cast<std::uint8_t>(step)));
    painter.fillRect(bar, theme.line2);
    painter.drawImage(bar.adjusted(1, 1, -1, -1), ramp);
}

void paintTicks(QPainter& painter, QRectF bar, const ColourBarContent& content, const Theme& theme)
{
    const ColourScale& scale = content.scale;
    painter.setFont(theme.font(TextRole::Caption));
    const double middle = 0.5 * (static_cast<double>(scale.low) + scale.high);
    const bool isSigned = scale.isSigned();

    const struct
    {
        double x;
        QString text;
    } ticks[] = {{bar.x(), content.ticks.value(0, endText(scale.low, isSigned))},
                 {bar.center().x(), content.ticks.value(1, middleText(middle, isSigned))},
                 {bar.right() - 1, content.ticks.value(2, endText(scale.high, isSigned))}};

    const QFontMetricsF metrics(painter.font());
    for (const auto& tick : ticks) {
        painter.fillRect(QRectF(tick.x, bar.bottom(), 1, 3), theme.line2);
        const double width = metrics.horizontalAdvance(tick.text);
        const double left = std::clamp(tick.x - width / 2.0, bar.x(), bar.right() - width);
        painter.setPen(theme.text2);
        painter.drawText(QPointF(left, bar.bottom() + 4.0 + metrics.ascent()), tick.text);
    }
}

void paintSwatch(QPainter& painter, QRectF area, const ColourBarContent& content,
                 const Theme& theme)
{
    const QRectF square(area.x(), std::round(area.y() - 1.0), 16, 12);
    painter.fillRect(square, content.painted ? theme.less : theme.line2);
    painter.fillRect(square.adjusted(1, 1, -1, -1), content.painted ? theme.surface : theme.masked);
    if (content.painted)
        paintHatch(painter, square.adjusted(1, 1, -1, -1), theme.less);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    painter.drawText(
        QRectF(square.right() + 8, square.y() - 4, area.right() - square.right() - 8, 20),
        Qt::AlignLeft | Qt::AlignVCenter, content.swatch);
}

void paintInline(QPainter& painter, QRectF area, const ColourBarContent& content,
                 const Theme& theme)
{
    const bool isSigned = content.scale.isSigned();
    const QString low = endText(content.scale.low, isSigned);
    const QString high = endText(content.scale.high, isSigned);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    const QFontMetricsF metrics(painter.font());
    const double left = metrics.horizontalAdvance(low) + 8;
    const double right = metrics.horizontalAdvance(high) + 8;
    const double middle = std::round(area.center().y());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, low);
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, high);
    paintRamp(
        painter,
        QRectF(area.x() + left, middle - kBarHeight / 2, area.width() - left - right, kBarHeight),
        content.scale, theme);
}

} // namespace

QString scaleTitle(const QString& what, const ColourScale& scale, bool perHead)
{
    const QString title =
        perHead ? QCoreApplication::translate("ColourBar", "%1, scaled to this head, %2 to %3")
                : QCoreApplication::translate("ColourBar", "%1, fixed scale %2 to %3");
    return title.arg(what, endText(scale.low, scale.isSigned()),
                     endText(scale.high, scale.isSigned()));
}

ColourBarLayout colourBarLayout(double width, const ColourBarContent& content, const Theme& theme)
{
    const double least = std::min(kLeastBar, width);
    if (content.swatch.isEmpty())
        return {std::min(kBarWidth, width), width, least};
    const QFontMetricsF metrics(theme.font(TextRole::Caption));
    const double swatch = 16.0 + 8.0 + std::ceil(metrics.horizontalAdvance(content.swatch)) + 4.0;
    const double bar = std::clamp(width - swatch - kGap, least, std::max(kBarWidth, least));
    const double gap = std::clamp(width - swatch - bar, kGap / 3.0, kGap);
    return {bar, bar + gap, kLeastBar + kGap / 3.0 + swatch};
}

void paintHatch(QPainter& painter, QRectF cell, const QColor& colour)
{
    painter.save();
    painter.setClipRect(cell, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colour, 1.0);
    pen.setCosmetic(true);
    painter.setPen(pen);
    for (double fraction : {0.55, 1.0, 1.45}) {
        const double offset = fraction * cell.width();
        painter.drawLine(QPointF(cell.x() + offset - cell.height(), cell.bottom()),
                         QPointF(cell.x() + offset, cell.y()));
    }
    painter.restore();
}

void paintColourBar(QPainter& painter, QRectF area, const ColourBarContent& content,
                    const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (content.inlineEnds) {
        paintInline(painter, area, content, theme);
        painter.restore();
        return;
    }
    const double line = 18.0 * theme.scale();
    painter.setFont(theme.font(TextRole::Caption));
    double titleX = area.x();
    if (content.warn) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(theme.warn);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(QPointF(titleX + 4, area.y() + line / 2), 4, 4);
        titleX += 14;
    }
    painter.setPen(theme.text2);
    const double room = area.right() - titleX;
    painter.drawText(QRectF(titleX, area.y(), room, line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(content.title, Qt::ElideRight, room));
    const ColourBarLayout places = colourBarLayout(area.width(), content, theme);
    const QRectF bar(std::round(area.x()), std::round(area.y() + line + 1), places.bar, kBarHeight);
    paintRamp(painter, bar, content.scale, theme);
    paintTicks(painter, bar, content, theme);
    if (!content.swatch.isEmpty())
        paintSwatch(painter,
                    QRectF(area.x() + places.swatch, bar.y(), area.width() - places.swatch, 12),
                    content, theme);
    painter.restore();
}

ColourBar::ColourBar(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Colour scale"));
    makeReadable(*this, QAccessible::Graphic);
}

void ColourBar::setContent(ColourBarContent content)
{
    m_content = std::move(content);
    setAccessibleDescription(m_content.title);
    setToolTip(m_content.title); // which a narrow bar elides
    update();
}

QSize ColourBar::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return m_content.inlineEnds ? QSize(220, qRound(20 * scale)) : QSize(540, qRound(52 * scale));
}

QSize ColourBar::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void ColourBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintColourBar(painter, rect(), m_content, Theme::of(*this));
}

} // namespace headscope::ui
