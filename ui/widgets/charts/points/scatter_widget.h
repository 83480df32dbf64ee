#pragma once

#include "ui/widgets/charts/points/scatter_plot.h"
#include "ui/widgets/drawn_widget.h"

#include <memory>

namespace headscope::ui {

class ChartScene;

/// Scatter plot with a selectable point. Left and Right move along x, Up and Down along y; a click
/// selects the nearest point.
class ScatterWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit ScatterWidget(QWidget* parent = nullptr);
    ~ScatterWidget() override;

    void setContent(ScatterContent content);

    const ScatterContent& content() const { return m_content; }

    QSize sizeHint() const override { return {320, 320}; }

    QSize minimumSizeHint() const override { return {220, 200}; }

signals:
    void pointActivated(int index);
    void pointOpened(int index); ///< Emitted on Enter or a double click.

protected:
    int itemCount() const override { return static_cast<int>(m_byX.size()); }

    QRectF itemRect(int item) const override;
    QString itemText(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;

    QString description() const override { return {}; }

    void goToItem(int item) override { emit pointActivated(indexOf(item)); }

    bool openItem(int item) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF area() const; ///< Area of the chart, inside the focus ring.

    int indexOf(int item) const { return m_byX[static_cast<std::size_t>(item)]; }

    const ScatterPoint& point(int item) const;

    ScatterContent m_content;
    std::vector<int> m_byX;              ///< Indices of the drawn points, by x: the items.
    std::unique_ptr<ChartScene> m_scene; ///< Created on the first paint.
};

} // namespace headscope::ui
