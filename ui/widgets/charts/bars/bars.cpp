#include "ui/widgets/charts/bars/bars.h"

#include "ui/widgets/style/text_widths.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kRow = 24.0;
constexpr double kComparisonRow = 32.0;
constexpr double kGap = 10.0;

bool isComparison(const std::vector<Bar>& bars)
{
    return std::any_of(bars.begin(), bars.end(),
                       [](const Bar& bar) { return bar.before.has_value(); });
}

double largestValue(const std::vector<Bar>& bars, const BarsOptions& options)
{
    double largest = options.largest;
    if (largest > 0.0)
        return largest;
    for (const Bar& bar : bars)
        for (double value : {bar.value, bar.before.value_or(0.0)})
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    return largest;
}

QString numberText(const Bar& bar, const BarsOptions& options)
{
    return bar.words.isEmpty() ? number(bar.value, options.decimals) + options.unit : bar.words;
}

/// Widths that all bars share.
struct BarWidths
{
    double label = 0.0;
    double digits = 0.0;
};

BarWidths widthsOf(const std::vector<Bar>& bars, const BarsOptions& options, double mostLabel,
                   const Theme& theme)
{
    const TextWidths plain(theme.font(TextRole::Table));
    const TextWidths bold(theme.bold(TextRole::Table));
    const TextWidths small(theme.font(TextRole::Caption));
    BarWidths widths{options.labelWidth, 0.0};
    for (const Bar& bar : bars) {
        if (options.labelWidth <= 0.0) {
            const double position =
                bar.position ? 5.0 + small.of(QString::number(*bar.position)) : 0.0;
            const double label = (bar.subject ? bold : plain).of(bar.label) + position;
            widths.label = std::max(widths.label, std::min(label, mostLabel));
        }
        widths.digits = std::max(widths.digits, bold.of(numberText(bar, options)));
        if (bar.before)
            widths.digits = std::max(
                widths.digits, bold.of(signedNumber(bar.value - *bar.before, options.decimals)));
    }
    return widths;
}

/// Paints a bar at least one pixel long; its far end is rounded by 2 px.
void paintBar(QPainter& painter, QRectF track, double fraction, const QColor& colour)
{
    if (!(fraction > 0.0))
        return;
    const double width = std::max(1.0, std::round(track.width() * std::min(fraction, 1.0)));
    const QRectF bar(track.x(), track.y(), width, track.height());
    if (width < 4.0) {
        painter.fillRect(bar, colour);
        return;
    }
    QPainterPath path;
    path.addRoundedRect(bar, 2, 2);
    path.addRect(QRectF(bar.x(), bar.y(), 2, bar.height()));
    path.setFillRule(Qt::WindingFill);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(path, colour);
    painter.restore();
}

void paintLabel(QPainter& painter, QRectF place, const Bar& bar, const Theme& theme)
{
    const QFont font = bar.subject ? theme.bold(TextRole::Table) : theme.font(TextRole::Table);
    const QFont small = bar.subject ? theme.bold(TextRole::Caption) : theme.font(TextRole::Caption);
    const QColor colour = bar.subject && bar.role != Role::Plain && bar.role != Role::Accent
                              ? roleColour(bar.role, theme)
                              : theme.text;
    const QFontMetricsF metrics(font);
    const double baseline = place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    double right = place.right();
    if (bar.position) {
        const QString digits = QString::number(*bar.position);
        right -= QFontMetricsF(small).horizontalAdvance(digits);
        painter.setFont(small);
        painter.setPen(bar.subject ? colour : theme.text3);
        painter.drawText(QPointF(right, baseline), digits);
        right -= 5.0;
    }
    const QString text =
        metrics.elidedText(bar.label, Qt::ElideRight, std::max(8.0, right - place.x()));
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QPointF(right - metrics.horizontalAdvance(text), baseline), text);
}

struct Columns
{
    QRectF label, track, number, before, change;
};

Columns columnsOf(QRectF row, double label, double digits, bool comparison)
{
    const double numbers = comparison ? 3.0 * digits + 3.0 * kGap + 24.0 : digits + kGap;
    Columns columns;
    columns.label = QRectF(row.x(), row.y(), label, row.height());
    columns.track =
        QRectF(row.x() + label + kGap, row.y(), row.width() - label - kGap - numbers, row.height());
    double x = columns.track.right() + kGap;
    if (comparison) {
        columns.before = QRectF(x, row.y(), digits, row.height());
        x += digits + kGap;
    }
    columns.number = QRectF(x, row.y(), digits, row.height());
    columns.change =
        QRectF(x + digits + kGap, row.y(), row.right() - x - digits - kGap, row.height());
    return columns;
}

void paintComparison(QPainter& painter, const Columns& columns, const Bar& bar, double largest,
                     const BarsOptions& options, const Theme& theme)
{
    const double middle = std::round(columns.track.center().y());
    const QRectF upper(columns.track.x(), middle - 11, columns.track.width(), 11);
    paintBar(painter, upper, *bar.before / largest, theme.bar);
    paintBar(painter, upper.translated(0, 11), bar.value / largest, theme.accent);
    const auto right = Qt::AlignRight | Qt::AlignVCenter;
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text2);
    painter.drawText(columns.before, right, number(*bar.before, options.decimals));
    painter.setFont(theme.bold(TextRole::Table));
    painter.setPen(theme.accent);
    painter.drawText(columns.number, right, number(bar.value, options.decimals));
    const double change = bar.value - *bar.before;
    painter.setPen(change < 0 ? theme.less : theme.more);
    painter.drawText(columns.change.adjusted(0, 0, -22, 0), right,
                     signedNumber(change, options.decimals));
    painter.setFont(theme.font(TextRole::Caption));
    painter.drawText(columns.change, right, change < 0 ? QStringLiteral("▼") : QStringLiteral("▲"));
}

void paintOne(QPainter& painter, const Columns& columns, const Bar& bar, double largest,
              const BarsOptions& options, const Theme& theme)
{
    const double middle = std::round(columns.track.center().y());
    const QRectF track(columns.track.x(), middle - 7, columns.track.width(), 14);
    paintBar(painter, track, largest > 0.0 ? std::abs(bar.value) / largest : 0.0,
             bar.value < 0.0 ? theme.less : roleColour(bar.role, theme));
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text);
    painter.drawText(columns.number, Qt::AlignRight | Qt::AlignVCenter, numberText(bar, options));
}

} // namespace

QColor roleColour(Role role, const Theme& theme)
{
    switch (role) {
    case Role::Plain:
        return theme.bar;
    case Role::Query:
    case Role::Accent:
        return theme.accent;
    case Role::Key:
        return theme.key;
    case Role::Value:
        return theme.value;
    }
    return theme.bar;
}

double heightOfRow(const std::vector<Bar>& bars, const BarsOptions& options, const Theme& theme)
{
    const double usual = isComparison(bars) ? kComparisonRow : kRow;
    return (options.rowHeight > 0.0 ? options.rowHeight : usual) * theme.scale();
}

double barsHeight(const std::vector<Bar>& bars, const Theme& theme, const BarsOptions& options)
{
    return static_cast<double>(bars.size()) * heightOfRow(bars, options, theme);
}

void paintBars(QPainter& painter, QRectF area, const std::vector<Bar>& bars,
               const BarsOptions& options, const Theme& theme, QRectF exposed)
{
    const bool comparison = isComparison(bars);
    const double height = heightOfRow(bars, options, theme);
    const double largest = std::max(largestValue(bars, options), 1e-300);
    const BarWidths widths = widthsOf(bars, options, area.width() * 0.38, theme);
    for (std::size_t index = 0; index < bars.size(); ++index) {
        const QRectF row(area.x(), area.y() + static_cast<double>(index) * height, area.width(),
                         height);
        if (!exposed.isNull() && !exposed.intersects(row))
            continue;
        const Columns columns = columnsOf(row, widths.label, widths.digits, comparison);
        paintLabel(painter, columns.label, bars[index], theme);
        if (bars[index].before)
            paintComparison(painter, columns, bars[index], largest, options, theme);
        else
            paintOne(painter, columns, bars[index], largest, options, theme);
    }
}

BarsWidget::BarsWidget(QWidget* parent) : DrawnWidget(Items::Column, tr("Bars"), parent)
{
    setFocusPolicy(Qt::TabFocus);
    setItemToolTips(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BarsWidget::setBars(std::vector<Bar> bars)
{
    const bool resized = bars.size() != m_bars.size() || isComparison(bars) != isComparison(m_bars);
    m_bars = std::move(bars);
    itemsChanged();
    if (resized)
        updateGeometry();
}

void BarsWidget::setOptions(BarsOptions options)
{
    m_options = std::move(options);
    itemsChanged();
    updateGeometry();
}

QString BarsWidget::description() const
{
    QStringList lines;
    for (int index = 0; index < itemCount(); ++index)
        lines.append(itemText(index));
    return lines.join(QStringLiteral("; "));
}

QString BarsWidget::itemText(int index) const
{
    const Bar& bar = m_bars[static_cast<std::size_t>(index)];
    QString line = bar.label + QLatin1Char(' ') + numberText(bar, m_options);
    if (bar.before)
        line += tr(", before %1").arg(number(*bar.before, m_options.decimals));
    return line;
}

QRectF BarsWidget::itemRect(int index) const
{
    const double height = heightOfRow(m_bars, m_options, Theme::of(*this));
    return {0.0, index * height, static_cast<double>(width()), height};
}

std::optional<int> BarsWidget::itemAt(QPointF position) const
{
    const double height = heightOfRow(m_bars, m_options, Theme::of(*this));
    const int index = static_cast<int>(std::floor(position.y() / height));
    return index >= 0 && index < itemCount() ? std::optional(index) : std::nullopt;
}

QSize BarsWidget::sizeHint() const
{
    return {240, qRound(barsHeight(m_bars, Theme::of(*this), m_options))};
}

QSize BarsWidget::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void BarsWidget::paintEvent(QPaintEvent* event)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    if (hasFocus())
        painter.fillRect(currentItem() ? itemRect(*currentItem()) : QRectF(rect()), theme.soft);
    paintBars(painter, rect(), m_bars, m_options, theme, event->rect());
}

std::optional<int> BarsWidget::barAt(std::optional<QPoint> place) const
{
    if (!place || !isVisible())
        return std::nullopt;
    const QPoint inside = mapFromGlobal(*place);
    return rect().contains(inside) ? itemAt(inside) : std::nullopt;
}

void BarsWidget::goToItem(int index)
{
    setCurrentItem(index);
    emit barActivated(index);
}

} // namespace headscope::ui
