#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heads/head_grid_layout.h"

#include <QImage>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Grid of all heads with one thumbnail each. Rows are layers, in the displayed order.
class HeadGridWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit HeadGridWidget(QWidget* parent = nullptr);

    /// Sets the content; rebuilds only images whose thumbnail changed.
    void setContent(HeadGridContent content);
    void setSelected(std::optional<headscope::ui::GridCell> index);
    /// Sets the tooltips, with name and strongest pair.
    void setToolTipText(std::function<QString(GridCell)> text);

    const HeadGridContent& content() const { return m_content; }

    const HeadGridLayout& layoutNow() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void headActivated(headscope::ui::GridCell index); ///< Emitted on a click or an arrow key.
    void headOpened(headscope::ui::GridCell index);    ///< Emitted on Enter or a double click.

protected:
    int itemCount() const override { return m_content.layers * m_content.heads; }

    int columnCount() const override { return m_content.heads; }

    QRectF itemRect(int item) const override;
    QString itemText(int item) const override;
    QString itemToolTip(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    ReadableTable readable() const override;
    QString description() const override;
    void goToItem(int item) override;
    bool openItem(int item) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshImages();
    void refreshTab(const Theme& theme);
    bool usesSheet() const;
    GridCell indexOf(int item) const;
    std::optional<int> itemOf(std::optional<GridCell> index) const;

    HeadGridContent m_content;
    std::vector<ThumbnailPtr> m_drawn; ///< Thumbnails shown in m_images.
    std::vector<QImage> m_images;      ///< One image per head, for few heads.
    QImage m_sheet;                    ///< One image of all heads in device pixels, for many heads.
    HeadGridLayout m_stepLayout;       ///< Layout used for m_sheet.
    int m_imagePixels = 0;
    std::function<QString(GridCell)> m_toolTipText;
    mutable std::optional<HeadGridLayout> m_layout;
};

} // namespace headscope::ui
