#include "ui/widgets/charts/lines/line_chart.h"

#include "ui/widgets/charts/lines/line_chart_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

void LineChart::setContent(LineChartContent content)
{
    const std::optional<double> cursor = m_content.cursor;
    m_content = std::move(content);
    m_places = m_content.places();
    m_content.cursor = m_places.empty() ? std::nullopt : cursor;
    readoutChanged();
}

LineChartAxes LineChart::axes() const
{
    return {area(), m_content, Theme::of(*this)};
}

void LineChart::setCursorAt(std::optional<double> x)
{
    if (x == m_content.cursor || (x && m_places.empty()))
        return;
    m_content.cursor = x;
    readoutChanged();
}

void LineChart::moveCursor(std::optional<double> x)
{
    if (x == m_content.cursor)
        return;
    setCursorAt(x);
    emit cursorMoved(x);
}

/// Last position at or before the cursor.
std::optional<std::size_t> LineChart::cursorPlace() const
{
    if (!m_content.cursor || m_places.empty())
        return std::nullopt;
    const auto after = std::upper_bound(m_places.begin(), m_places.end(), *m_content.cursor);
    const auto index = static_cast<std::size_t>(after - m_places.begin());
    return index == 0 ? 0 : index - 1;
}

ChartPlot LineChart::plotOf(QSizeF size, const Theme& theme) const
{
    return LineChartPlot(m_content, size, theme).plot();
}

QString LineChart::description() const
{
    return m_content.cursor ? describePlace(m_content, *m_content.cursor) : m_content.note;
}

/// One row per step, one column per curve.
ReadableTable LineChart::readable() const
{
    const auto curve = [this](int column) -> const LineChartCurve& {
        return m_content.curves[static_cast<std::size_t>(column)];
    };
    const auto stepOf = [this](int row) { return m_places[static_cast<std::size_t>(row)]; };
    const auto textAt = [this, curve, stepOf](HeatmapCell cell) {
        const auto value = headscope::ui::valueAt(curve(cell.column).points, stepOf(cell.row));
        return value ? chartNumber(m_content, *value) : tr("not measured");
    };
    ReadableTable table;
    table.rows = static_cast<int>(m_places.size());
    table.columns = static_cast<int>(m_content.curves.size());
    table.rowName = [this, stepOf](int row) {
        return m_content.unit + QLatin1Char(' ') +
               headscope::ui::number(stepOf(row), m_content.unitDecimals);
    };
    table.columnName = [curve](int column) { return curve(column).name; };
    table.words = [this, curve, stepOf, textAt](HeatmapCell cell) {
        return tr("%1 %2: %3 %4")
            .arg(m_content.unit, headscope::ui::number(stepOf(cell.row), m_content.unitDecimals),
                 curve(cell.column).name, textAt(cell));
    };
    table.value = textAt;
    table.place = [this, stepOf](HeatmapCell cell) {
        const LineChartAxes axes = this->axes();
        return QRectF(axes.x(stepOf(cell.row)) - 2, axes.plot().top(), 4, axes.plot().height());
    };
    if (const auto place = cursorPlace(); place && table.columns > 0)
        table.current = {static_cast<int>(*place), 0};
    return table;
}

void LineChart::mouseMoveEvent(QMouseEvent* event)
{
    const LineChartAxes axes = this->axes();
    if (m_places.empty() || !axes.plot().adjusted(-8, -8, 8, 8).contains(event->position()))
        return moveCursor(std::nullopt);
    const double x = axes.valueOfX(event->position().x());
    auto nearest = std::lower_bound(m_places.begin(), m_places.end(), x);
    if (nearest == m_places.end() ||
        (nearest != m_places.begin() && x - *std::prev(nearest) < *nearest - x))
        --nearest;
    moveCursor(*nearest);
}

void LineChart::mousePressEvent(QMouseEvent* event)
{
    mouseMoveEvent(event);
    if (event->button() == Qt::LeftButton && m_content.cursor)
        emit stepChosen(*m_content.cursor);
    else
        ChartWidget::mousePressEvent(event);
}

void LineChart::leaveEvent(QEvent*)
{
    moveCursor(std::nullopt);
}

void LineChart::keyPressEvent(QKeyEvent* event)
{
    if (m_places.empty() || event->modifiers().testFlag(Qt::ControlModifier))
        return ChartWidget::keyPressEvent(event);
    const auto last = static_cast<std::ptrdiff_t>(m_places.size()) - 1;
    const auto at = cursorPlace();
    const auto now = static_cast<std::ptrdiff_t>(at.value_or(m_places.size() - 1));
    const auto go = [this, last](std::ptrdiff_t index) {
        moveCursor(m_places[static_cast<std::size_t>(std::clamp(index, std::ptrdiff_t{0}, last))]);
    };
    const bool isFar = event->modifiers().testFlag(Qt::ShiftModifier);
    const std::ptrdiff_t step = isFar ? std::max<std::ptrdiff_t>(1, last / 10) : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return go(at ? now - step : last);
    case Qt::Key_Right:
        return go(at ? now + step : 0);
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (at)
            emit stepChosen(m_places[*at]);
        return;
    case Qt::Key_Escape:
        if (at)
            return moveCursor(std::nullopt);
        break;
    default:
        break;
    }
    ChartWidget::keyPressEvent(event);
}

} // namespace headscope::ui
