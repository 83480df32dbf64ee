#pragma once

#include "ui/widgets/worked/worked_paint.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

namespace headscope::ui {

/// The matrices of a worked example with the equation beneath. Up, Down or Enter goes among the
/// cells, arrows move there, Enter or a digit opens an input, Esc climbs out.
class WorkedWidget : public QWidget
{
    Q_OBJECT

public:
    explicit WorkedWidget(QWidget* parent = nullptr);

    void setPicture(WorkedPicture picture);

    const WorkedPicture& picture() const { return m_picture; }

    const WorkedLayout& layoutNow() const;

    void setReducedMotion(bool reduced) { m_reduced = reduced; }

    void placeCursor(std::optional<CellAddress> cell); ///< of the keyboard; none: out of the cells

    bool isMoving() const { return m_motion.isActive(); } ///< rings are on their way

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Enter, a double click, or a key that begins a number (`typed`; else empty).
    void cellOpened(const headscope::CellAddress& cell, const QString& typed);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    bool isOpenable(CellAddress cell) const;
    bool moveCursor(int key);
    void enterCells();
    void describe();
    void startMotion(const std::vector<WorkedRing>& from);
    std::vector<CellAddress> readableCells() const;
    ReadableTable readable() const;

    WorkedPicture m_picture;
    mutable WorkedLayout m_layout;
    mutable bool m_isOld = true;
    bool m_reduced = false;
    std::vector<WorkedRing> m_from;
    QElapsedTimer m_since;
    QTimer m_motion;
};

} // namespace headscope::ui
