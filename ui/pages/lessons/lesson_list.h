#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QWidget>

#include <vector>

namespace headscope::ui {

/// The lessons of a course in columns, chapter by chapter, with what is done of each. One tab stop;
/// arrows move, Enter opens.
class LessonList : public QWidget
{
    Q_OBJECT

public:
    struct Row
    {
        QString id; ///< empty: a chapter
        QString title;
        QString summary;
        int number = 0; ///< from 1
        int seen = 0;
        int steps = 0;
    };

    explicit LessonList(QWidget* parent = nullptr);

    void setRows(std::vector<Row> rows);
    void setCurrent(const QString& id);

    QString currentId() const;
    QString currentSummary() const;

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

signals:
    void opened(const QString& id);
    void currentMoved(const QRect& place); ///< to be scrolled to
    void currentChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Layout
    {
        std::vector<QRectF> places; ///< as m_rows
        double height = 0.0;
    };

    Layout layoutFor(double width) const;
    const Layout& places() const;
    int rowAt(QPointF place) const;
    void moveTo(int row);
    void moveBy(int direction);
    void moveSideways(int direction);
    void paintChapter(QPainter& painter, const QRectF& place, const Row& row,
                      const Theme& theme) const;
    void paintLesson(QPainter& painter, const QRectF& place, const Row& row,
                     const Theme& theme) const;
    ReadableTable readable() const;
    QString wordsOf(const Row& row) const;

    std::vector<Row> m_rows;
    int m_current = -1;
    int m_hovered = -1;
    mutable Layout m_layout;
    mutable double m_layoutWidth = -1.0;
};

} // namespace headscope::ui
