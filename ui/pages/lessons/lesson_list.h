#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <vector>

namespace headscope::ui {

/// Lessons of a course in columns, chapter by chapter, with progress. Chapters are items too, but
/// only lessons can be current; Enter, Space or a click opens one.
class LessonList : public DrawnWidget
{
    Q_OBJECT

public:
    struct Row
    {
        QString id; ///< Id of the lesson; empty: a chapter.
        QString title;
        QString summary;
        int number = 0; ///< Number from 1.
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
    void currentMoved(const QRect& place); ///< Emitted with the rectangle to scroll to.
    void currentChanged();

protected:
    int itemCount() const override { return static_cast<int>(m_rows.size()); }

    QRectF itemRect(int item) const override;
    QString itemText(int item) const override;

    QString itemToolTip(int item) const override { return row(item).summary; }

    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;

    QString description() const override { return {}; }

    void goToItem(int item) override;
    void hoverChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Layout
    {
        std::vector<QRectF> places; ///< Rectangles in the order of m_rows.
        double height = 0.0;
    };

    Layout layoutFor(double width) const;
    const Layout& places() const;

    const Row& row(int item) const { return m_rows[static_cast<std::size_t>(item)]; }

    bool isLesson(int item) const { return !row(item).id.isEmpty(); }

    std::optional<int> lessonFrom(int item, int direction) const;
    std::optional<int> lessonBeside(int item, double direction) const;
    void paintChapter(QPainter& painter, const QRectF& place, const Row& row,
                      const Theme& theme) const;
    void paintLesson(QPainter& painter, const QRectF& place, const Row& row,
                     const Theme& theme) const;

    std::vector<Row> m_rows;
    mutable Layout m_layout;
    mutable double m_layoutWidth = -1.0;
};

} // namespace headscope::ui
