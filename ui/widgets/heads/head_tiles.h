#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Large maps of heads, each with its name and one score.
struct HeadTilesContent
{
    HeadGridContent grid;
    /// Scores, layer-major: "induction 0.87"; empty where not measured.
    std::vector<QString> notes;
    /// Query row in the selected head's map: 0 to 1 from its top; < 0: none.
    double queryRow = -1.0;
    double rowHeight = 0.0; ///< Height of one query row, as a fraction of the map.
};

/// Layout of the tiles. Small tiles have no names and numbers.
class HeadTilesLayout
{
public:
    HeadTilesLayout() = default;
    HeadTilesLayout(QRectF area, const HeadTilesContent& content, const Theme& theme,
                    double pixelRatio = 1.0);

    QRectF mapRect(GridCell index) const;
    QRectF labelRect(GridCell index) const; ///< Area of a label; empty without labels.
    std::optional<GridCell> headAt(QPointF position) const;

    bool isLabelled() const { return m_label > 0.0; }

private:
    QPointF m_origin;
    int m_layers = 0;
    int m_heads = 0;
    double m_side = 0.0;
    double m_label = 0.0; ///< Height of a label.
    double m_gap = 0.0;
};

void paintHeadTiles(QPainter& painter, const HeadTilesLayout& layout,
                    const HeadTilesContent& content, const Theme& theme, double pixelRatio = 1.0);

/// Tiles of all heads of all layers, as large as fits. Arrows move from head to head.
class HeadTiles : public DrawnWidget
{
    Q_OBJECT

public:
    explicit HeadTiles(QWidget* parent = nullptr);

    void setContent(HeadTilesContent content);

    HeadTilesLayout layoutNow() const;

    QSize sizeHint() const override { return {480, 320}; }

    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    void headActivated(headscope::ui::GridCell index);
    void headOpened(headscope::ui::GridCell index);

protected:
    int itemCount() const override { return m_content.grid.layers * m_content.grid.heads; }

    int columnCount() const override { return m_content.grid.heads; }

    QRectF itemRect(int item) const override { return layoutNow().mapRect(headOf(item)); }

    QString itemText(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    ReadableTable readable() const override;

    void goToItem(int item) override { emit headActivated(headOf(item)); }

    bool openItem(int item) override;
    void paintEvent(QPaintEvent* event) override;

private:
    GridCell headOf(int item) const;

    int itemOf(GridCell head) const { return head.layer * m_content.grid.heads + head.head; }

    HeadTilesContent m_content;
};

} // namespace headscope::ui
