#include "ui/pages/lessons/lesson_step_view.h"

#include "ui/pages/lessons/lesson_choice.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/lesson_text_widget.h"

#include <QAccessible>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui {

using Tone = TextLabel::Tone;

LessonStepView::LessonStepView(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TextRole::Title))
    , m_text(new LessonText)
    , m_problem(new TextLabel({}, TextRole::Body, Tone::Warn))
    , m_asked(new QWidget)
    , m_prompt(new LessonText)
    , m_numberRow(new QWidget)
    , m_field(new QLineEdit)
    , m_check(new QPushButton(tr("Check")))
    , m_choiceColumn(new QVBoxLayout)
    , m_verdict(new TextLabel({}, TextRole::Heading))
    , m_reason(new LessonText)
{
    m_title->setStrong(true);
    for (TextLabel* label : {m_title, m_problem, m_verdict})
        label->setWordWrap(true);
    columnOf(8, {m_title, m_text, m_problem, m_asked, Placed::space()}, this);

    m_field->setProperty("role", "sentence");
    m_field->setAccessibleName(tr("Your answer"));
    m_field->setMaxLength(64);
    rowOf(8, {{m_field, 1}, m_check}, m_numberRow);
    m_choiceColumn->setSpacing(6);
    auto* asked = columnOf(6,
                           {new Hairline, Placed::gap(2), heading(tr("Your turn")), m_prompt,
                            m_numberRow, m_choiceColumn, m_verdict, m_reason},
                           m_asked);
    asked->setContentsMargins(0, 4, 0, 0);

    const auto give = [this] { emit numberGiven(m_field->text()); };
    connect(m_field, &QLineEdit::returnPressed, this, give);
    connect(m_check, &QPushButton::clicked, this, give);
    for (const LessonText* text : {m_text, m_prompt, m_reason})
        connect(text, &LessonText::linkActivated, this, &LessonStepView::linkActivated);
    setContent({});
}

void LessonStepView::setContent(const Content& content)
{
    m_title->setText(content.title);
    m_title->setVisible(!content.title.isEmpty());
    m_text->setBlocks(content.text);
    m_text->setVisible(!content.text.empty());
    m_problem->setText(content.problem);
    m_problem->setVisible(!content.problem.isEmpty());
    showQuestion(content.question);
}

void LessonStepView::showQuestion(const std::optional<LessonQuestion>& question)
{
    m_asked->setVisible(question.has_value());
    if (question == m_question)
        return;
    m_question = question;
    m_field->clear();
    showChoices(question ? question->choices : std::vector<std::string>());
    m_numberRow->setVisible(question && question->choices.empty());
    m_prompt->setMarkdownText(question ? QString::fromStdString(question->prompt) : QString());
    setVerdict({});
}

void LessonStepView::showChoices(const std::vector<std::string>& choices)
{
    for (LessonChoice* choice : m_choices)
        delete choice;
    m_choices.clear();
    for (std::size_t i = 0; i < choices.size(); ++i) {
        auto* choice = new LessonChoice(QString::fromStdString(choices[i]), m_asked);
        connect(choice, &LessonChoice::clicked, this,
                [this, i] { emit choiceGiven(static_cast<int>(i)); });
        m_choiceColumn->addWidget(choice);
        m_choices.push_back(choice);
    }
}

void LessonStepView::setVerdict(const LessonVerdict& verdict, int choice)
{
    using Kind = LessonVerdict::Kind;
    const bool right = verdict.kind == Kind::Right;
    const QString sign = right                         ? QStringLiteral("\u2713 ")
                         : verdict.kind == Kind::Wrong ? QStringLiteral("\u2715 ")
                                                       : QString();
    m_verdict->setText(sign + verdict.sentence);
    m_verdict->setTone(right ? Tone::Ok : Tone::Warn);
    m_verdict->setVisible(verdict.kind != Kind::None);
    const bool hasReason = m_question && (right || verdict.kind == Kind::Wrong);
    m_reason->setMarkdownText(
        hasReason ? QString::fromStdString(right ? m_question->praise : m_question->hint)
                  : QString());
    m_reason->setVisible(hasReason && !m_reason->blocks().empty());
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        m_choices[i]->setMark(static_cast<int>(i) != choice ? LessonChoice::Mark::None
                              : right                       ? LessonChoice::Mark::Right
                                                            : LessonChoice::Mark::Wrong);
    for (std::size_t i = 0; i < m_choices.size(); ++i) // The others are done.
        m_choices[i]->setVisible(!right || static_cast<int>(i) == choice);
    if (verdict.kind == Kind::None)
        return;
    m_verdict->setAccessibleName(verdict.sentence + QLatin1Char(' ') + m_reason->accessibleName());
    QAccessibleEvent reported(m_verdict, QAccessible::Alert);
    QAccessible::updateAccessibility(&reported);
}

LessonStepView::Content stepViewContent(const LessonRun& run)
{
    if (!run.isOpen())
        return {};
    const LessonStep& step = run.current();
    LessonStepView::Content content;
    content.title = QString::fromStdString(step.title);
    content.problem = run.problem();
    if (const FilledStep* filled = run.filled()) {
        content.title = QString::fromStdString(filled->title);
        content.text = withTermLinks(lessonBlocks(QString::fromStdString(filled->text)),
                                     run.library(), run.lesson().id);
        content.question = filled->question;
    } else if (!run.problem().isEmpty()) {
        content.text = lessonBlocks(QString::fromStdString(step.text));
    }
    return content;
}

} // namespace headscope::ui
