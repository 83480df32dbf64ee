#pragma once

#include "core/lessons/lesson.h"
#include "ui/pages/shared/figures/figure.h"

#include <QWidget>

class QStackedLayout;

namespace headscope::ui {

class EmptyState;
class ExampleStage;
class LabStage;
class LessonExample;
class Session;

/// Left side of a step: a worked example, a lab, or a note that the step is on a page of the
/// window.
class LessonStage : public QWidget
{
    Q_OBJECT

public:
    explicit LessonStage(Session& session, QWidget* parent = nullptr);

    void showStep(const LessonStep& step);
    void focusMain();
    bool isSettled() const;
    Figure figure() const;

    /// Current state, including the user's changes.
    LessonState state() const;

    ExampleStage& example() const;

    LabStage& lab() { return *m_lab; }

signals:
    void pageWanted(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitMargins();
    void showState(const LessonStep& step);
    void bring(QWidget& part);

    LessonState m_state;
    QStackedLayout* m_stack;
    LessonExample* m_example;
    LabStage* m_lab;
    QWidget* m_elsewhere;
    EmptyState* m_words;
};

/// Differences of a worked example or lab from its initial state.
LessonState exampleStateOf(const ExampleStage& stage);
LessonState labStateOf(const LabStage& stage);

} // namespace headscope::ui
