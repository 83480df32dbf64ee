#pragma once

#include "ui/widgets/arcs/arcs_paint.h"

#include <QAbstractScrollArea>

namespace headscope::ui {

/// Draws two columns of tokens with the weights between them, and reports the token under the
/// pointer or the keyboard's cursor. Knows nothing about models. One tab stop: Up and Down move,
/// Left and Right change the side, Enter pins, Esc frees, digits switch heads. Screen readers find
/// a table of queries and keys.
class ArcsWidget : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit ArcsWidget(QWidget* parent = nullptr);

    void setContent(ArcsContent content); ///< hovered is kept while its token exists

    const ArcsContent& content() const { return m_content; }

    void setHovered(std::optional<headscope::ui::ArcEnd> end);

    ArcsLayout layoutNow() const; ///< in the viewport

    /// Lets the pointer or cursor go, or the pin; false when there is nothing to let go.
    bool escape();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenHovered(std::optional<headscope::ui::ArcEnd> end);
    void tokenPinned(headscope::ui::ArcEnd end);
    void tokenFreed();
    void headToggled(int head); ///< a digit was typed
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
    void redraw(); ///< curves included
    void paintRing(QPainter& painter, const Theme& theme) const;
    void updateScrollBar();
    void pin(ArcEnd end);
    void moveCursor(int key);
    void showRow(ArcEnd end);
    void announce();
    QRectF pairRect(HeatmapCell pair) const; ///< of both tokens

    ArcsContent m_content;
    ArcsImages m_images;       ///< null ones are drawn before the next paint
    bool m_byKeyboard = false; ///< the hovered token is the keyboard's
};

} // namespace headscope::ui
