#include "ui/widgets/charts/scene/chart_tick_axis.h"

#include <QCategoryAxis>
#include <QChart>

namespace headscope::ui {

namespace {

constexpr double kBefore = -1.0; ///< Start of the first category, out of sight.

/// Label as HTML, which Qt Charts reads and which would widen the narrow space between thousands.
QString labelOf(const QString& text)
{
    return QStringLiteral("<span style=\"white-space:pre\">%1</span>").arg(text.toHtmlEscaped());
}

} // namespace

ChartTickAxis::ChartTickAxis(QChart& chart, Qt::Alignment side) : m_axis(new QCategoryAxis)
{
    m_axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_axis->setTruncateLabels(false);
    m_axis->setStartValue(kBefore);
    m_axis->setGridLineVisible(side == Qt::AlignLeft);
    m_axis->setLineVisible(side == Qt::AlignBottom);
    m_axis->setVisible(false); // until it has ticks
    chart.addAxis(m_axis, side);
    m_axis->setRange(0.0, 1.0);
}

void ChartTickAxis::show(const ChartTicks& ticks)
{
    if (ticks == m_shown)
        return;
    const bool isSameTicks = ticks.ticks == m_shown.ticks;
    m_shown = ticks;
    m_axis->setLabelsFont(ticks.font);
    m_axis->setLabelsBrush(ticks.text);
    m_axis->setGridLinePen(QPen(ticks.line, 1.0));
    m_axis->setLinePen(QPen(ticks.line, 1.0));
    if (!isSameTicks)
        replaceTicks();
    m_axis->setVisible(!ticks.ticks.empty());
}

/// Labels are names of categories, of which Qt Charts omits duplicates.
void ChartTickAxis::replaceTicks()
{
    for (const QString& label : m_axis->categoriesLabels())
        m_axis->remove(label);
    for (const ChartTick& tick : m_shown.ticks) {
        QString label = labelOf(tick.text);
        while (m_axis->categoriesLabels().contains(label))
            label += QChar(0x200B); // zero-width space
        m_axis->append(label, tick.place);
    }
}

} // namespace headscope::ui
