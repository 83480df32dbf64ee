#pragma once

#include "ui/widgets/charts/distance/distance_axes.h"
#include "ui/widgets/charts/scene/chart_widget.h"

#include <optional>

namespace headscope::ui {

/// Curves of heads. Left and right move over distances, up and down over heads; a click chooses the
/// nearest head and pins its distance, a second one or Esc lets it go.
class DistanceChart : public ChartWidget
{
    Q_OBJECT

public:
    explicit DistanceChart(QWidget* parent = nullptr);

    void setContent(DistanceContent content);

    const DistanceContent& content() const { return m_content; }

    DistanceAxes axes() const;

    std::optional<int> pinned() const { return m_pinned; } ///< a distance

    void pinDistance(std::optional<int> distance); ///< emits nothing

    int headAt(QPointF position) const; ///< of the nearest curve there; -1 without curves

    QSize sizeHint() const override { return {640, 480}; }

    QSize minimumSizeHint() const override { return {320, 220}; }

signals:
    void headChosen(int head);
    void distancePinned();
    void binOpened(); ///< Enter on a distance

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
    std::optional<int> m_hovered; ///< bin
    std::optional<int> m_pinned;  ///< distance
};

} // namespace headscope::ui
