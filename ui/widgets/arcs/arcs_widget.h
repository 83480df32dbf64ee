#pragma once

#include "ui/widgets/arcs/arcs_paint.h"

#include <QAbstractScrollArea>

namespace headscope::ui {

/// Two columns of tokens with the weights between them. Reports the token under the pointer or the
/// keyboard cursor; independent of models. One tab stop: Up and Down move, Left and Right change
/// the side, Enter pins, Esc unpins, digits toggle heads; a pin moves with the arrows. Screen
/// readers get a table of queries and keys.
class ArcsWidget : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit ArcsWidget(QWidget* parent = nullptr);

    /// Sets the content; the hovered token is kept while it exists.
    void setContent(ArcsContent content);

    const ArcsContent& content() const { return m_content; }

    void setHovered(std::optional<headscope::ui::ArcEnd> end);

    ArcsLayout layoutNow() const; ///< Current layout in the viewport.

    /// Clears the hovered or pinned token; false when there is none.
    bool escape();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenHovered(std::optional<headscope::ui::ArcEnd> end);
    void tokenPinned(headscope::ui::ArcEnd end);
    void tokenFreed();
    void headToggled(int head); ///< Emitted when a digit was typed.
    void painted(double elapsedMs);

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void redraw(); ///< Repaints everything, including curves.
    void paintRing(QPainter& painter, const Theme& theme) const;
    void updateScrollBar();
    void pin(ArcEnd end);
    void moveCursor(int key);
    void movePin(ArcEnd end);
    void showRow(ArcEnd end);
    void announce();
    QRectF pairRect(HeatmapCell pair) const; ///< Area of both tokens of a pair.

    ArcsContent m_content;
    ArcsImages m_images;       ///< Cached images; null ones are created on the next paint.
    bool m_byKeyboard = false; ///< True if the hovered token was set by keyboard.
};

} // namespace headscope::ui
