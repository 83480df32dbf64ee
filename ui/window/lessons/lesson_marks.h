#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

namespace headscope::ui {

/// Parts of the window that a step points at, or puts away: by object name or accessible name.
class LessonMarks : public QObject
{
public:
    LessonMarks(QWidget& window, QWidget& pages);

    void point(const QStringList& names);
    void putAway(const QStringList& names);
    void clear();

private:
    QWidget* find(const QString& name) const;

    QWidget& m_window;
    QWidget& m_pages;
    std::vector<QPointer<QWidget>> m_rings;
    std::vector<QPointer<QWidget>> m_away;
};

/// Black over everything, until a key or a click.
class BlankScreen : public QWidget
{
public:
    explicit BlankScreen(QWidget& window);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headscope::ui
