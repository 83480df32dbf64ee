#pragma once

#include "core/lessons/lesson.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace headscope::ui {

class TextLabel;

/// Fields of one step of a lesson that is being written.
class LessonAuthorForm : public QWidget
{
    Q_OBJECT

public:
    explicit LessonAuthorForm(QWidget* parent = nullptr);

    void setStep(const LessonStep& step); ///< Leaves fields alone whose content is equal.
    LessonStep step() const;              ///< The step as typed.

    QLineEdit& title() { return *m_title; }

signals:
    void edited(const QString& field); ///< Emitted with the field's name.

private:
    enum Kind { None, Number, Choices };

    void makeFields();
    void showKind();
    std::optional<LessonQuestion> question() const;

    LessonStep m_step;
    TextLabel* m_state;
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QComboBox* m_kind;
    QWidget* m_asked;
    QLineEdit* m_prompt;
    QWidget* m_numberRow;
    QLineEdit* m_answer;
    QLineEdit* m_tolerance;
    QPlainTextEdit* m_choices;
    QLineEdit* m_praise;
    QLineEdit* m_hint;
    bool m_filling = false;
};

/// Description of a step's state: "the worked example attention, at step 12".
QString stateText(const LessonState& state);

} // namespace headscope::ui
