#pragma once

#include "ui/session/lessons/lesson_run.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

class LessonChoice;
class LessonText;
class TextLabel;

/// Text and question of one step: title, text, question, and feedback.
class LessonStepView : public QWidget
{
    Q_OBJECT

public:
    explicit LessonStepView(QWidget* parent = nullptr);

    struct Content
    {
        QString title;
        std::vector<TextBlock> text;
        std::optional<LessonQuestion> question;
        QString problem; ///< Why there are no numbers; empty otherwise.
    };

    void setContent(const Content& content);
    void setVerdict(const LessonVerdict& verdict, int choice = -1);

signals:
    void numberGiven(const QString& typed);
    void choiceGiven(int choice);
    void linkActivated(const QString& target);

private:
    void showQuestion(const std::optional<LessonQuestion>& question);
    void showChoices(const std::vector<std::string>& choices);

    TextLabel* m_title;
    LessonText* m_text;
    TextLabel* m_problem;
    QWidget* m_asked; ///< Widgets of the question.
    LessonText* m_prompt;
    QWidget* m_numberRow;
    QLineEdit* m_field;
    QPushButton* m_check;
    QVBoxLayout* m_choiceColumn;
    std::vector<LessonChoice*> m_choices;
    TextLabel* m_verdict;
    LessonText* m_reason;
    std::optional<LessonQuestion> m_question;
};

/// Sheet of a step whose numbers are known, with links to the lessons that explain its terms.
LessonStepView::Content stepViewContent(const LessonRun& run);

} // namespace headscope::ui
