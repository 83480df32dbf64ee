#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heads/head_grid_layout.h"

#include <QImage>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// All heads of all layers, one thumbnail each. A row of items is a layer, in the order that is
/// shown.
class HeadGridWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit HeadGridWidget(QWidget* parent = nullptr);

    void setContent(HeadGridContent content); ///< rebuilds only images whose thumbnail changed
    void setSelected(std::optional<headscope::ui::GridCell> index);
    void setToolTipText(std::function<QString(GridCell)> text); ///< name and top pair

    const HeadGridContent& content() const { return m_content; }

    const HeadGridLayout& layoutNow() const;

    int imagesBuilt() const { return m_imagesBuilt; } ///< since construction, for tests

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void headActivated(headscope::ui::GridCell index); ///< click or arrow keys
    void headOpened(headscope::ui::GridCell index);    ///< Enter or double click

protected:
    int itemCount() const override { return m_content.layers * m_content.heads; }

    int columnCount() const override { return m_content.heads; }

    QRectF itemRect(int item) const override;
    QString itemWords(int item) const override;
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
    void refreshSheet(const Theme& theme);
    bool usesSheet() const;
    GridCell indexOf(int item) const;
    std::optional<int> itemOf(std::optional<GridCell> index) const;

    HeadGridContent m_content;
    std::vector<ThumbnailPtr> m_drawn; ///< what m_images show
    std::vector<QImage> m_images;      ///< few heads: one each
    QImage m_sheet;                    ///< many heads: all of them, in device pixels
    HeadGridLayout m_sheetLayout;      ///< where they lie in it
    int m_imagePixels = 0;
    int m_imagesBuilt = 0;
    std::function<QString(GridCell)> m_toolTipText;
    mutable std::optional<HeadGridLayout> m_layout;
};

} // namespace headscope::ui
