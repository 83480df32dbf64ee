#pragma once

#include "ui/widgets/attention/qk_paint.h"

#include <QAbstractScrollArea>

namespace headscope::ui {

/// Query and keys by dimension. Up and Down move over keys, Left and Right over dimensions, Shift
/// with Up and Down over queries; Esc unpins a dimension.
class QkWidget : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit QkWidget(QWidget* parent = nullptr);

    void setContent(QkContent content);

    const QkContent& content() const { return m_content; }

    QkLayout layoutNow() const;

    std::optional<int> pinnedChannel() const { return m_pinned; }

    void pinChannel(std::optional<int> channel); ///< Pins a dimension without emitting a signal.

    QSize sizeHint() const override { return {900, 620}; }

    QSize minimumSizeHint() const override { return {560, 360}; }

signals:
    void keyChosen(int key);
    void queryMoved(int step);
    void channelPinned(); ///< Emitted when a dimension is pinned or unpinned.
    void numberOpened();  ///< Emitted on Enter for the pinned dimension or the selected key.

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    void scrollContentsBy(int, int) override { viewport()->update(); }

    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF area() const;
    void moveKey(int key);
    void moveColumn(int column);
    void pin(std::optional<int> channel);
    void refreshColumn();
    void refreshScroll();
    void describe();

    QkContent m_content;
    std::optional<int> m_hovered; ///< Hovered column.
    std::optional<int> m_pinned;  ///< Pinned dimension.
    QkImages m_images;
    bool m_imagesAreOld = true;
};

} // namespace headscope::ui
