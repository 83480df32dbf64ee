#pragma once

#include "core/lessons/worked/example_inputs.h"
#include "ui/session/lessons/lesson_run.h"

#include <QTimer>
#include <QWidget>

class QGridLayout;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace headscope::ui {

class LessonSheet;
class TextLabel;

/// The right side of the window while a lesson is open: what the step says, and the way through.
class LessonColumn : public QWidget
{
    Q_OBJECT

public:
    explicit LessonColumn(LessonRun& run, QWidget* parent = nullptr);

    LessonSheet& sheet() { return *m_sheet; }

    QPushButton& nextButton() { return *m_next; }

    void setPresenting(bool on); ///< without its small print
    void focusNext();

    /// What can be changed besides cells; none: no such part of the column.
    void setSwitches(const std::vector<ExampleInputs::Switch>& switches, bool cellsToo);

    void goNext(); ///< a step on; after the last one the next lesson, or the contents
    void goBack();

signals:
    void linkActivated(const QString& target);
    void contentsWanted();
    void switchWanted(const QString& name, bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showStep();
    void showTexts();
    void showVerdict();
    void fitSoon();
    void fit(); ///< what can be changed gives way to what is said

    LessonRun& m_run;
    TextLabel* m_where;
    QToolButton* m_close;
    QScrollArea* m_area;
    LessonSheet* m_sheet;
    QWidget* m_change; ///< "Change it"
    TextLabel* m_cells;
    QGridLayout* m_switches;
    TextLabel* m_working;
    TextLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
    QTimer m_late;
    int m_choice = -1;
    bool m_presenting = false;
    bool m_offersChange = false;
    bool m_fits = false; ///< a call of fit() is on its way
};

} // namespace headscope::ui
