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

class LessonStepView;
class TextLabel;

/// Right column of the window while a lesson is open: text of the step, and navigation.
class LessonColumn : public QWidget
{
    Q_OBJECT

public:
    explicit LessonColumn(LessonRun& run, QWidget* parent = nullptr);

    QPushButton& nextButton() { return *m_next; }

    void setPresenting(bool on); ///< Hides the small print.
    void focusNext();

    /// Sets what can be changed besides cells; none: hides that part of the column.
    void setSwitches(const std::vector<ExampleInputs::Switch>& switches, bool cellsToo);

    /// Moves to the next step; after the last one, to the next lesson or the contents.
    void goNext();
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
    void fit(); ///< The text has priority over what can be changed.

    LessonRun& m_run;
    TextLabel* m_where;
    QToolButton* m_close;
    QScrollArea* m_area;
    LessonStepView* m_stepView;
    QWidget* m_change; ///< Section "Change it".
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
    bool m_fits = false; ///< A call of fit() is pending.
};

} // namespace headscope::ui
