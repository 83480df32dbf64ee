#include "ui/widgets/heads/head_grid_widget.h"

#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/style/focus_frame.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

ColourScale scaleOf(const HeadGridContent& content)
{
    return content.map == MapName::Balance ? ColourScale::difference()
                                           : ColourScale{content.map, 0.0F, 1.0F, 1.0};
}

void fillSquare(QImage& image, QPoint corner, int side, QRgb colour)
{
    const QRect square = QRect(corner, QSize(side, side)) & image.rect();
    for (int y = square.top(); y <= square.bottom(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        std::fill(line + square.left(), line + square.right() + 1, colour);
    }
}

} // namespace

HeadGridWidget::HeadGridWidget(QWidget* parent) : DrawnWidget(Items::Table, tr("All heads"), parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
}

void HeadGridWidget::setContent(HeadGridContent content)
{
    const bool resized = content.layers != m_content.layers || content.heads != m_content.heads ||
                         content.keyValueHeads != m_content.keyValueHeads ||
                         content.order.empty() != m_content.order.empty() ||
                         content.hasSinks() != m_content.hasSinks() ||
                         content.largestSide != m_content.largestSide;
    const bool recoloured = content.map != m_content.map;
    m_content = std::move(content);
    m_layout.reset();
    if (recoloured)
        m_drawn.clear();
    if (resized)
        updateGeometry();
    itemsChanged(itemOf(m_content.selected));
}

void HeadGridWidget::setSelected(std::optional<GridCell> index)
{
    if (m_content.selected == index)
        return;
    m_content.selected = index;
    itemsChanged(itemOf(index));
}

void HeadGridWidget::setToolTipText(std::function<QString(GridCell)> text)
{
    m_toolTipText = std::move(text);
}

GridCell HeadGridWidget::indexOf(int item) const
{
    return layoutNow().atPlace(item / m_content.heads, item % m_content.heads);
}

std::optional<int> HeadGridWidget::itemOf(std::optional<GridCell> index) const
{
    if (!index || !m_content.contains(*index))
        return std::nullopt;
    return index->layer * m_content.heads + layoutNow().placeOf(*index);
}

QRectF HeadGridWidget::itemRect(int item) const
{
    return layoutNow().headRect(indexOf(item));
}

/// Text of one head for screen readers.
QString HeadGridWidget::itemText(int item) const
{
    const GridCell index = indexOf(item);
    QString text = tr("Layer %1, head %2").arg(index.layer).arg(index.head);
    if (m_content.switchedOff.contains(index))
        text += tr(", ablated");
    if (m_toolTipText)
        text += QStringLiteral("; ") + m_toolTipText(index).replace(u'\n', QLatin1String("; "));
    return text;
}

QString HeadGridWidget::itemToolTip(int item) const
{
    const GridCell index = indexOf(item);
    const QString name = tr("Layer %1 · Head %2").arg(index.layer).arg(index.head);
    return m_toolTipText ? name + QLatin1Char('\n') + m_toolTipText(index) : name;
}

QString HeadGridWidget::description() const
{
    return m_content.selected ? tr("Layer %1, head %2")
                                    .arg(m_content.selected->layer)
                                    .arg(m_content.selected->head)
                              : QString();
}

/// Columns are places: if sorted, each row has a different head in a column.
ReadableTable HeadGridWidget::readable() const
{
    ReadableTable table = DrawnWidget::readable();
    table.rowName = [](int layer) { return tr("layer %1").arg(layer); };
    table.columnName = [this](int place) {
        return (m_content.order.empty() ? tr("head %1") : tr("place %1")).arg(place);
    };
    return table;
}

const HeadGridLayout& HeadGridWidget::layoutNow() const
{
    if (!m_layout)
        m_layout.emplace(QRectF(rect()), m_content, Theme::of(*this), devicePixelRatioF());
    return *m_layout;
}

QSize HeadGridWidget::sizeHint() const
{
    const double usual = m_content.layers > 16 ? 18.0 : 32.0;
    const Theme theme = Theme::of(*this);
    const double grown = m_content.largestSide * theme.scale();
    const double side = m_content.largestSide > HeadGridContent().largestSide ? grown : usual;
    return headGridSize(m_content, theme, side).toSize();
}

QSize HeadGridWidget::minimumSizeHint() const
{
    return headGridMinimum(m_content, Theme::of(*this)).toSize();
}

void HeadGridWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange) {
        m_drawn.clear();
        m_layout.reset();
        update();
    }
    QWidget::changeEvent(event);
}

bool HeadGridWidget::usesSheet() const
{
    constexpr std::size_t kManyHeads = 300; // one image per head takes twice as long from here on
    return m_content.thumbnails.size() > kManyHeads;
}

void HeadGridWidget::refreshTab(const Theme& theme)
{
    const HeadGridLayout& layout = layoutNow();
    const double ratio = devicePixelRatioF();
    const int pixels = static_cast<int>(std::lround(layout.side() * ratio));
    const QSize wanted = (layout.size() * ratio).toSize() + QSize(1, 1);
    const bool moved = m_sheet.size() != wanted || pixels != m_imagePixels ||
                       m_drawn.size() != m_content.thumbnails.size() ||
                       !m_stepLayout.isSameAs(layout);
    if (moved || m_drawn.empty()) {
        m_sheet = QImage(wanted, QImage::Format_RGB32);
        m_sheet.fill(theme.surface);
        m_drawn.assign(m_content.thumbnails.size(), nullptr);
        m_stepLayout = layout;
    }
    m_imagePixels = pixels;
    m_sheet.setDevicePixelRatio(1.0);
    const ColourLookup lookup(scaleOf(m_content), theme);
    for (std::size_t place = 0; place < m_drawn.size(); ++place) {
        const ThumbnailPtr& thumbnail = m_content.thumbnails[place];
        if (thumbnail == m_drawn[place] && !moved)
            continue;
        const GridCell index{static_cast<int>(place) / m_content.heads,
                             static_cast<int>(place) % m_content.heads};
        const QPoint corner = (layout.headRect(index).topLeft() * ratio).toPoint();
        if (thumbnail)
            writeThumbnail(m_sheet, corner, *thumbnail, lookup, pixels);
        else
            fillSquare(m_sheet, corner, pixels, theme.masked.rgb());
        m_drawn[place] = thumbnail;
    }
    m_sheet.setDevicePixelRatio(ratio);
}

void HeadGridWidget::refreshImages()
{
    m_sheet = QImage();
    const int pixels = static_cast<int>(std::lround(layoutNow().side() * devicePixelRatioF()));
    if (pixels != m_imagePixels)
        m_drawn.clear();
    m_imagePixels = pixels;
    if (m_drawn.empty())
        m_images.clear(); // a head without a thumbnail must not keep its image
    m_drawn.resize(m_content.thumbnails.size());
    m_images.resize(m_content.thumbnails.size());
    const ColourLookup lookup(scaleOf(m_content), Theme::of(*this));
    for (std::size_t place = 0; place < m_drawn.size(); ++place) {
        const ThumbnailPtr& wanted = m_content.thumbnails[place];
        if (wanted == m_drawn[place])
            continue;
        m_images[place] = wanted ? thumbnailImage(*wanted, lookup, pixels) : QImage();
        m_drawn[place] = wanted;
    }
}

void HeadGridWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    m_layout.reset(); // the screen, and so the pixel ratio, may have changed
    if (usesSheet())
        refreshTab(theme);
    else
        refreshImages();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    if (usesSheet())
        painter.drawImage(QPointF(0, 0), m_sheet);
    static const std::vector<QImage> kDrawnAlready;
    paintHeadGrid(painter, layoutNow(), usesSheet() ? kDrawnAlready : m_images, m_content, theme);
    paintFocusFrame(painter, *this);
}

void HeadGridWidget::resizeEvent(QResizeEvent*)
{
    m_layout.reset();
}

std::optional<int> HeadGridWidget::itemAt(QPointF position) const
{
    return itemOf(layoutNow().headAt(position));
}

/// Without a selected head, any key moves to the first one.
std::optional<int> HeadGridWidget::itemAfter(int key) const
{
    const auto next = DrawnWidget::itemAfter(key);
    return next && !currentItem() ? itemOf(GridCell{}) : next;
}

void HeadGridWidget::goToItem(int item)
{
    const GridCell index = indexOf(item);
    setSelected(index);
    emit headActivated(index);
}

bool HeadGridWidget::openItem(int item)
{
    if (!currentItem())
        return false;
    emit headOpened(indexOf(item));
    return true;
}

} // namespace headscope::ui
