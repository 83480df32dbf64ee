#pragma once

#include "ui/widgets/attention/qk_paint.h"

#include <QAbstractScrollArea>

namespace headscope::ui {

/// Query and keys channel by channel. Arrows up and down move over keys, left and right over
/// dimensions, Shift with up and down over queries; Esc lets a dimension go.
class QkWidget : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit QkWidget(QWidget* parent = nullptr);

    void setContent(QkContent content);

    const QkContent& content() const { return m_content; }

    QkLayout layoutNow() const;

    std::optional<int> pinnedChannel() const { return m_pinned; }

    void pinChannel(std::optional<int> channel); ///< emits nothing

    QSize sizeHint() const override { return {900, 620}; }

    QSize minimumSizeHint() const override { return {560, 360}; }

signals:
    void keyChosen(int key);
    void queryMoved(int step);
    void channelPinned(); ///< or let go
    void numberOpened();  ///< Enter: of the pinned channel, or the chosen key

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
    std::optional<int> m_hovered; ///< column
    std::optional<int> m_pinned;  ///< channel
    QkImages m_images;
    bool m_imagesAreOld = true;
};

} // namespace headscope::ui
