#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Heads large enough to be watched, each with its name and one measured number.
struct HeadTilesContent
{
    HeadGridContent grid;
    std::vector<QString> notes; ///< layer-major: "induction 0.87"; empty where nothing was measured
    double queryRow = -1.0;     ///< of the selected head's map: 0 to 1 from its top; < 0: none
    double rowHeight = 0.0;     ///< of one query, the same way
};

/// Where tiles lie. Where they are small, names and numbers are left out.
class HeadTilesLayout
{
public:
    HeadTilesLayout() = default;
    HeadTilesLayout(QRectF area, const HeadTilesContent& content, const Theme& theme,
                    double pixelRatio = 1.0);

    QRectF mapRect(GridCell index) const;
    QRectF labelRect(GridCell index) const; ///< empty without labels
    std::optional<GridCell> headAt(QPointF position) const;
    QSizeF size() const;

    double side() const { return m_side; }

    bool isLabelled() const { return m_label > 0.0; }

private:
    QPointF m_origin;
    int m_layers = 0;
    int m_heads = 0;
    double m_side = 0.0;
    double m_label = 0.0; ///< height
    double m_gap = 0.0;
};

void paintHeadTiles(QPainter& painter, const HeadTilesLayout& layout,
                    const HeadTilesContent& content, const Theme& theme, double pixelRatio = 1.0);

/// All heads of all layers, as large as there is room for. Arrows go from head to head.
class HeadTiles : public DrawnWidget
{
    Q_OBJECT

public:
    explicit HeadTiles(QWidget* parent = nullptr);

    void setContent(HeadTilesContent content);

    const HeadTilesContent& content() const { return m_content; }

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

    QString itemWords(int item) const override;
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
