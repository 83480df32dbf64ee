#pragma once

#include "ui/session/lessons/lesson_run.h"

#include <QWidget>

class QPushButton;
class QScrollArea;

namespace headscope::ui {

class LessonList;
class TextLabel;

/// Contents of the course: current lesson, chapters, lessons and progress.
class LessonsContents : public QWidget
{
    Q_OBJECT

public:
    explicit LessonsContents(LessonRun& run, QWidget* parent = nullptr);

    void focusMain();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void askToReset();

    LessonRun& m_run;
    TextLabel* m_title;
    TextLabel* m_count;
    TextLabel* m_summary; ///< Full summary of the current lesson.
    QPushButton* m_continue;
    QPushButton* m_reset;
    LessonList* m_list;
    QScrollArea* m_area;
    bool m_asks = false;
};

} // namespace headscope::ui
