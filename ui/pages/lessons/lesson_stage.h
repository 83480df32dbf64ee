#pragma once

#include "core/lessons/lesson.h"
#include "ui/pages/shared/figures/figure.h"

#include <QWidget>

class QStackedLayout;

namespace headscope::ui {

class EmptyState;
class ExampleStage;
class LabStage;
class Session;

/// What a step of a lesson shows at the left: a worked example, a lab, or the word that it is on a
/// page of the window.
class LessonStage : public QWidget
{
    Q_OBJECT

public:
    explicit LessonStage(Session& session, QWidget* parent = nullptr);

    void showStep(const LessonStep& step);
    void focusMain();
    bool isSettled() const;
    Figure figure() const;

    /// The state as it stands now, with what the person changed.
    LessonState state() const;

    ExampleStage& example() { return *m_example; }

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
    ExampleStage* m_example;
    LabStage* m_lab;
    QWidget* m_elsewhere;
    EmptyState* m_words;
};

/// Of a worked example or a lab as it stands: what differs from its beginning.
LessonState exampleStateOf(const ExampleStage& stage);
LessonState labStateOf(const LabStage& stage);

} // namespace headscope::ui
