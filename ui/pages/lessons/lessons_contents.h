#pragma once

#include "ui/session/lessons/lesson_run.h"

#include <QWidget>

class QPushButton;
class QScrollArea;

namespace headscope::ui {

class LessonList;
class TextLabel;

/// The course: where the person was, its chapters and lessons, how much is done.
class LessonsContents : public QWidget
{
    Q_OBJECT

public:
    explicit LessonsContents(LessonRun& run, QWidget* parent = nullptr);

    LessonList& list() { return *m_list; }

    void focusMain();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void askToReset();

    LessonRun& m_run;
    TextLabel* m_title;
    TextLabel* m_count;
    TextLabel* m_summary; ///< of the current lesson, in full
    QPushButton* m_continue;
    QPushButton* m_reset;
    QScrollArea* m_area;
    LessonList* m_list;
    bool m_asks = false;
};

} // namespace headscope::ui
