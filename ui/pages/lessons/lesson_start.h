#pragma once

#include "core/lessons/lesson_numbers.h"
#include "ui/widgets/labels.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QPushButton;

namespace headscope::ui {

/// What "Your lesson" shows before there is one: a new lesson, a file, or an example to change, with
/// all steps of the example beside.
class LessonStart : public QWidget
{
    Q_OBJECT

public:
    explicit LessonStart(QWidget* parent = nullptr);

    /// Shows the example's steps with their numbers; null: there is no example.
    void setExample(const Lesson* example, const LabContext& context);

    QPushButton& exampleButton() const { return *m_example; }

    QPushButton& newButton() const { return *m_new; }

signals:
    void exampleWanted();
    void newWanted();
    void openWanted();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeChoices();
    QWidget* makeStep(const LessonStep& step, int number, const LabContext& context);
    void placeSteps();

    QPushButton* m_example;
    QPushButton* m_new;
    QPushButton* m_open;
    QWidget* m_choices = nullptr;
    QWidget* m_preview;
    QGridLayout* m_grid;
    std::vector<QWidget*> m_steps;
    TextLabel* m_title;
    TextLabel* m_summary;
};

} // namespace headscope::ui
