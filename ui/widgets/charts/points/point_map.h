#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/colour_map.h"

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// One named point of a plane.
struct MapPoint
{
    QString name; ///< Name such as "18.6".
    double x = 0.0;
    double y = 0.0;
    double shade = 0.0; ///< Position in the colour map, 0 to 1; NaN: hollow.
    int cluster = 0;    ///< Cluster, which sets the hue of the point's ring.
    bool faint = false; ///< True when filtered out.
};

struct PointMapContent
{
    std::vector<MapPoint> points;
    int clusters = 0; ///< Number of clusters; below 2: no rings.
    MapName map = MapName::Depth;
    int selected = -1;
    std::vector<int> linked; ///< Nearest neighbours of the selected point, joined to it by lines.
};

/// Layout of the points with one scale in both directions, so that distances are comparable.
class PointMapLayout
{
public:
    PointMapLayout(QRectF area, const PointMapContent& content, const Theme& theme);

    QPointF at(int point) const { return m_places[static_cast<std::size_t>(point)]; }

    int pointAt(QPointF position) const; ///< Point at a position; -1: none.

    double radius() const { return m_radius; }

private:
    std::vector<QPointF> m_places;
    double m_radius = 5.0;
};

void paintPointMap(QPainter& painter, const QRectF& area, const PointMapContent& content,
                   const Theme& theme);

/// Map of selectable points: by click, or by arrows to the nearest in that direction.
class PointMapWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit PointMapWidget(QWidget* parent = nullptr);

    void setContent(PointMapContent content);
    void setToolTipText(std::function<QString(int)> text);

    const PointMapContent& content() const { return m_content; }

    PointMapLayout layoutNow() const;

    QSize sizeHint() const override { return {420, 420}; }

    QSize minimumSizeHint() const override { return {200, 200}; }

signals:
    void pointActivated(int point); ///< Emitted on a click or an arrow key.
    void pointOpened(int point);    ///< Emitted on Enter or a double click.

protected:
    int itemCount() const override { return static_cast<int>(m_content.points.size()); }

    QRectF itemRect(int point) const override;
    QString itemText(int point) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;

    QString description() const override { return {}; }

    void goToItem(int point) override { emit pointActivated(point); }

    bool openItem(int point) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    PointMapContent m_content;
    std::function<QString(int)> m_toolTipText;
};

} // namespace headscope::ui
