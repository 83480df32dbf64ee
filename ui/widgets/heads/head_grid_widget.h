#pragma once

#include "ui/widgets/heads/head_grid_layout.h"
#include "ui/widgets/readable.h"

#include <QImage>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// All heads of all layers, one thumbnail each.
class HeadGridWidget : public QWidget
{
    Q_OBJECT

public:
    explicit HeadGridWidget(QWidget* parent = nullptr);

    void setContent(HeadGridContent content); ///< rebuilds only images whose thumbnail changed
    void setSelected(std::optional<headscope::ui::HeadIndex> index);
    void setToolTipText(std::function<QString(HeadIndex)> text); ///< name and top pair

    const HeadGridContent& content() const { return m_content; }

    const HeadGridLayout& layoutNow() const;

    int imagesBuilt() const { return m_imagesBuilt; } ///< since construction, for tests

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void headActivated(headscope::ui::HeadIndex index); ///< click or arrow keys
    void headOpened(headscope::ui::HeadIndex index);    ///< Enter or double click
    void headHovered(std::optional<headscope::ui::HeadIndex> index);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refreshImages();
    void refreshSheet(const Theme& theme);
    bool usesSheet() const;
    void moveTo(HeadIndex index);
    std::optional<HeadIndex> indexAfter(int key) const;
    QString words(HeadIndex index) const;
    ReadableTable readable() const;

    HeadGridContent m_content;
    std::vector<ThumbnailPtr> m_drawn; ///< what m_images show
    std::vector<QImage> m_images;      ///< few heads: one each
    QImage m_sheet;                    ///< many heads: all of them, in device pixels
    HeadGridLayout m_sheetLayout;      ///< where they lie in it
    int m_imagePixels = 0;
    int m_imagesBuilt = 0;
    std::function<QString(HeadIndex)> m_toolTipText;
    std::optional<HeadIndex> m_hovered;
    mutable std::optional<HeadGridLayout> m_layout;
};

} // namespace headscope::ui
