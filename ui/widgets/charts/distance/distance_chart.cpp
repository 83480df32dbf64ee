#include "ui/widgets/charts/distance/distance_chart.h"

#include "ui/widgets/charts/distance/distance_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

std::optional<int> binOf(const DistanceContent& content, std::optional<int> distance)
{
    for (std::size_t bin = 0; distance && bin < content.bins.size(); ++bin)
        if (content.bins[bin].first <= *distance && *distance <= content.bins[bin].last)
            return static_cast<int>(bin);
    return std::nullopt;
}

} // namespace

DistanceChart::DistanceChart(QWidget* parent) : ChartWidget(tr("Attention by distance"), parent) {}

void DistanceChart::setContent(DistanceContent content)
{
    m_content = std::move(content);
    if (m_hovered && *m_hovered >= static_cast<int>(m_content.bins.size()))
        m_hovered.reset();
    refreshBin();
}

DistanceAxes DistanceChart::axes() const
{
    return {area(), m_content, Theme::of(*this)};
}

void DistanceChart::refreshBin()
{
    m_content.bin = m_hovered ? m_hovered : binOf(m_content, m_pinned);
    readoutChanged();
}

void DistanceChart::pinDistance(std::optional<int> distance)
{
    m_pinned = distance;
    refreshBin();
}

ChartPlot DistanceChart::plotOf(QSizeF size, const Theme& theme) const
{
    return DistancePlot(m_content, size, theme).plot();
}

QString DistanceChart::description() const
{
    return m_content.bin ? describeBin(m_content, *m_content.bin) : QString();
}

/// One row per distance, one column per head.
ReadableTable DistanceChart::readable() const
{
    const auto curve = [this](int column) -> const DistanceCurve& {
        return m_content.curves[static_cast<std::size_t>(column)];
    };
    const auto valueAt = [this, curve](HeatmapCell cell) {
        const double value = curve(cell.column).values[static_cast<std::size_t>(cell.row)];
        return m_content.isDifference ? signedNumber(value, 3) : number(value, 3);
    };
    ReadableTable table;
    table.rows = m_content.isEmpty() ? 0 : static_cast<int>(m_content.bins.size());
    table.columns = static_cast<int>(m_content.curves.size());
    table.rowName = [this](int bin) { return distanceText(m_content, bin); };
    table.columnName = [curve](int column) { return tr("head %1").arg(curve(column).head); };
    table.words = [this, curve, valueAt](HeatmapCell cell) {
        return tr("%1: head %2 %3")
            .arg(distanceText(m_content, cell.row))
            .arg(curve(cell.column).head)
            .arg(valueAt(cell));
    };
    table.value = valueAt;
    table.place = [this](HeatmapCell cell) {
        const DistanceAxes axes = this->axes();
        const double reach = axes.plot().width() / 2.0 / static_cast<double>(m_content.bins.size());
        return QRectF(axes.x(cell.row) - reach, axes.plot().top(), 2 * reach, axes.plot().height());
    };
    for (int column = 0; m_content.bin && column < table.columns; ++column)
        if (column == 0 || curve(column).head == m_content.subject)
            table.current = {*m_content.bin, column};
    return table;
}

void DistanceChart::mouseMoveEvent(QMouseEvent* event)
{
    const auto bin = axes().binAt(event->position());
    if (bin == m_hovered)
        return;
    m_hovered = bin;
    refreshBin();
}

void DistanceChart::leaveEvent(QEvent*)
{
    m_hovered.reset();
    refreshBin();
}

int DistanceChart::headAt(QPointF position) const
{
    const DistanceAxes axes = this->axes();
    const auto bin = axes.binAt(position);
    if (!bin || m_content.isEmpty())
        return -1;
    const auto gap = [&](const DistanceCurve& curve) {
        return std::abs(axes.y(curve.values[static_cast<std::size_t>(*bin)]) - position.y());
    };
    const auto nearest =
        std::min_element(m_content.curves.begin(), m_content.curves.end(),
                         [&](const auto& a, const auto& b) { return gap(a) < gap(b); });
    return nearest->head;
}

void DistanceChart::mousePressEvent(QMouseEvent* event)
{
    const auto bin = axes().binAt(event->position());
    if (!bin || event->button() != Qt::LeftButton || m_content.isEmpty())
        return ChartWidget::mousePressEvent(event);
    const int head = headAt(event->position());
    const bool again = head == m_content.subject && binOf(m_content, m_pinned) == bin;
    pinDistance(again ? std::nullopt
                      : std::optional(m_content.bins[static_cast<std::size_t>(*bin)].first));
    emit distancePinned();
    if (head != m_content.subject)
        emit headChosen(head);
}

void DistanceChart::moveBin(int bin)
{
    m_hovered.reset();
    const int last = static_cast<int>(m_content.bins.size()) - 1;
    pinDistance(m_content.bins[static_cast<std::size_t>(std::clamp(bin, 0, last))].first);
    emit distancePinned();
}

void DistanceChart::moveHead(int step)
{
    const auto& curves = m_content.curves;
    const auto found = std::find_if(curves.begin(), curves.end(), [this](const auto& curve) {
        return curve.head == m_content.subject;
    });
    const int last = static_cast<int>(curves.size()) - 1;
    const int at = found == curves.end() ? 0 : static_cast<int>(found - curves.begin()) + step;
    emit headChosen(curves[static_cast<std::size_t>(std::clamp(at, 0, last))].head);
}

void DistanceChart::keyPressEvent(QKeyEvent* event)
{
    if (m_content.isEmpty())
        return ChartWidget::keyPressEvent(event);
    const int bin = m_content.bin.value_or(-1);
    switch (event->key()) {
    case Qt::Key_Left:
        return moveBin(bin < 0 ? static_cast<int>(m_content.bins.size()) - 1 : bin - 1);
    case Qt::Key_Right:
        return moveBin(bin + 1);
    case Qt::Key_Home:
        return moveBin(0);
    case Qt::Key_End:
        return moveBin(static_cast<int>(m_content.bins.size()) - 1);
    case Qt::Key_Up:
        return moveHead(-1);
    case Qt::Key_Down:
        return moveHead(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (bin < 0 || (event->modifiers() & Qt::ControlModifier))
            break;
        emit binOpened();
        return;
    case Qt::Key_Escape:
        if (m_pinned) {
            pinDistance(std::nullopt);
            emit distancePinned();
            return;
        }
        break;
    default:
        break;
    }
    ChartWidget::keyPressEvent(event);
}

} // namespace headscope::ui
