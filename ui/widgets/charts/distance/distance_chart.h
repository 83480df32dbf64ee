#pragma once

#include "ui/widgets/charts/distance/distance_axes.h"
#include "ui/widgets/charts/scene/chart_widget.h"

#include <optional>

namespace headscope::ui {

/// Mean attention weight by distance, one curve per head. Left and Right move over distances, Up
/// and Down over heads; a click selects the nearest head and pins its distance, a second one or Esc
/// unpins it.
class DistanceChart : public ChartWidget
{
    Q_OBJECT

public:
    explicit DistanceChart(QWidget* parent = nullptr);

    void setContent(DistanceContent content);

    const DistanceContent& content() const { return m_content; }

    DistanceAxes axes() const;

    std::optional<int> pinned() const { return m_pinned; } ///< Pinned distance.

    void pinDistance(std::optional<int> distance); ///< Pins a distance without emitting a signal.

    int headAt(QPointF position) const; ///< Head of the nearest curve; -1 without curves.

    QSize sizeHint() const override { return {640, 480}; }

    QSize minimumSizeHint() const override { return {320, 220}; }

signals:
    void headChosen(int head);
    void distancePinned();
    void binOpened(); ///< Emitted on Enter on a distance.

protected:
    ChartPlot plotOf(QSizeF size, const Theme& theme) const override;
    QString description() const override;
    ReadableTable readable() const override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refreshBin();
    void moveBin(int bin);
    void moveHead(int step);

    DistanceContent m_content;
    std::optional<int> m_hovered; ///< Hovered bin.
    std::optional<int> m_pinned;  ///< Pinned distance.
};

} // namespace headscope::ui
