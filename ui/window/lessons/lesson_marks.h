#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

namespace headscope::ui {

/// Marks or hides parts of the window for a lesson step, by object name or accessible name.
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

} // namespace headscope::ui
