#pragma once

#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/readable.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

class ChartScene;

/// Curves over the steps of a run. Left and right move the cursor from point to point, with Shift
/// by a tenth, Enter or a click chooses the step.
class LineChart : public QWidget
{
    Q_OBJECT

public:
    explicit LineChart(const QString& accessibleName, QWidget* parent = nullptr);
    ~LineChart() override;

    void setContent(LineChartContent content); ///< keeps the cursor

    const LineChartContent& content() const { return m_content; }

    LineChartLayout layoutNow() const;

    std::optional<double> cursor() const { return m_content.cursor; }

    void setCursorAt(std::optional<double> x); ///< from another chart; emits nothing

    QSize sizeHint() const override { return {640, 260}; }

    QSize minimumSizeHint() const override { return {320, 140}; }

signals:
    void cursorMoved(std::optional<double> x);
    void stepChosen(double x);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void moveCursor(std::optional<double> x);
    std::optional<std::size_t> cursorPlace() const;
    void describe();
    ReadableTable readable() const;

    LineChartContent m_content;
    std::vector<double> m_places;
    std::unique_ptr<ChartScene> m_scene; ///< made by the first paint
};

} // namespace headscope::ui
