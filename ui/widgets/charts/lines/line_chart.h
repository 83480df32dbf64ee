#pragma once

#include "ui/widgets/charts/lines/line_chart_axes.h"
#include "ui/widgets/charts/scene/chart_widget.h"

namespace headscope::ui {

/// Curves over the steps of a run. Left and Right move the cursor from point to point, with Shift
/// by a tenth; Enter or a click selects the step.
class LineChart : public ChartWidget
{
    Q_OBJECT

public:
    using ChartWidget::ChartWidget;

    void setContent(LineChartContent content); ///< Sets the content and keeps the cursor.

    const LineChartContent& content() const { return m_content; }

    LineChartAxes axes() const;

    /// Sets the cursor as in another chart, without emitting a signal.
    void setCursorAt(std::optional<double> x);

    QSize sizeHint() const override { return {640, 260}; }

    QSize minimumSizeHint() const override { return {320, 140}; }

signals:
    void cursorMoved(std::optional<double> x);
    void stepChosen(double x);

protected:
    ChartPlot plotOf(QSizeF size, const Theme& theme) const override;
    QString description() const override;
    ReadableTable readable() const override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void moveCursor(std::optional<double> x);
    std::optional<std::size_t> cursorPlace() const;

    LineChartContent m_content;
    std::vector<double> m_places;
};

} // namespace headscope::ui
