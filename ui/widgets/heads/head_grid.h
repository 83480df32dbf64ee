#pragma once

#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/readable.h"

#include <QWidget>

#include <functional>
#include <map>
#include <set>

namespace headscope::ui {

struct HeadGridContent
{
    int layers = 0;
    int heads = 0;
    int keyValueHeads = 0;                ///< 0 or `heads`: no brackets
    std::vector<ThumbnailPtr> thumbnails; ///< layer-major, null while not computed
    MapName map = MapName::Depth;         ///< Balance for B - A
    std::vector<int> order;               ///< layer-major, head at each place; empty: by number
    bool outlined = false;                ///< a hairline around each: for maps of one value a head
    std::optional<HeadIndex> selected;
    std::set<HeadIndex> switchedOff;
    std::map<HeadIndex, int> pinned; ///< slot of the head hue

    ThumbnailPtr at(HeadIndex index) const;
    bool contains(HeadIndex index) const;
};

/// Where thumbnails lie: square, 2 px apart, 8 px between groups that share keys and values.
class HeadGridLayout
{
public:
    HeadGridLayout() = default;
    HeadGridLayout(QRectF area, const HeadGridContent& content, const Theme& theme,
                   double pixelRatio = 1.0);

    QRectF headRect(HeadIndex index) const;
    std::optional<HeadIndex> headAt(QPointF position) const;

    int placeOf(HeadIndex index) const; ///< from the left, 0 first
    HeadIndex atPlace(int layer, int place) const;

    double side() const { return m_side; }

    bool isSameAs(const HeadGridLayout& other) const
    {
        return m_origin == other.m_origin && m_side == other.m_side && m_layers == other.m_layers &&
               m_heads == other.m_heads && m_groupSize == other.m_groupSize &&
               m_order == other.m_order;
    }

    int groupSize() const { return m_groupSize; } ///< heads a bracket spans, 0: no brackets

    QSizeF size() const;             ///< of everything, labels included
    double columnX(int place) const; ///< of the place from the left, the head's own unless sorted
    double rowY(int layer) const;

private:
    QPointF m_origin;
    double m_side = 0.0;
    int m_layers = 0;
    int m_heads = 0;
    int m_groupSize = 0;
    std::vector<int> m_order; ///< head at each place, layer-major
    std::vector<int> m_place; ///< place of each head, layer-major
};

/// The layers or heads that carry their number: the selected one (-1: none), the last, and every
/// `step`-th that stands `apart` or more from these two.
std::vector<int> numbersShown(int count, int step, int apart, int selected);

/// Room that the grid takes with thumbnails of `side`.
QSizeF headGridSize(const HeadGridContent& content, const Theme& theme, double side);
QSizeF headGridMinimum(const HeadGridContent& content, const Theme& theme);

/// `images` as many as thumbnails, null where there is none yet; empty where the thumbnails are
/// drawn already.
void paintHeadGrid(QPainter& painter, const HeadGridLayout& layout,
                   const std::vector<QImage>& images, const HeadGridContent& content,
                   const Theme& theme);

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
