#include "ui/pages/lessons/lesson_author_form.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace headscope::ui {

namespace {

constexpr int kLongest = 20'000; // Maximum characters of a text.

void say(QLineEdit& field, const std::string& text)
{
    const QString wanted = QString::fromStdString(text);
    if (field.text() != wanted)
        field.setText(wanted);
}

void say(QPlainTextEdit& field, const QString& text)
{
    if (field.toPlainText() != text)
        field.setPlainText(text);
}

/// One answer per line, the correct one after a star.
QString choicesText(const LessonQuestion& question)
{
    QStringList lines;
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        lines << (static_cast<int>(i) == question.right ? QStringLiteral("* ") : QString()) +
                     QString::fromStdString(question.choices[i]);
    return lines.join(QLatin1Char('\n'));
}

void readChoices(const QString& text, LessonQuestion& question)
{
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        QString choice = line.trimmed();
        if (choice.isEmpty())
            continue;
        if (choice.startsWith(QLatin1String("* "))) {
            question.right = static_cast<int>(question.choices.size());
            choice = choice.mid(2).trimmed();
        }
        question.choices.push_back(choice.toStdString());
    }
}

QString positionText(const LessonState& state)
{
    if (state.at.empty() || state.at == "end")
        return {};
    return QChar(' ') + LessonAuthorForm::tr("at %1").arg(QString::fromStdString(state.at));
}

} // namespace

QString stateText(const LessonState& state)
{
    const QString name = QString::fromStdString(state.name);
    QString words;
    switch (state.kind) {
    case LessonState::Kind::Example:
        words = LessonAuthorForm::tr("Shows the worked example \u201C%1\u201D").arg(name) +
                positionText(state);
        break;
    case LessonState::Kind::Lab:
        words = LessonAuthorForm::tr("Shows the lab \u201C%1\u201D").arg(name);
        break;
    case LessonState::Kind::Page:
        words = LessonAuthorForm::tr("Shows the page \u201C%1\u201D").arg(name);
        break;
    }
    QStringList set;
    for (const auto& [key, value] : state.set)
        set << QStringLiteral("%1 = %2").arg(QString::fromStdString(key),
                                             QString::fromStdString(value));
    return set.isEmpty() ? words : words + QStringLiteral(", ") + set.join(QStringLiteral(", "));
}

LessonAuthorForm::LessonAuthorForm(QWidget* parent)
    : QWidget(parent)
    , m_state(caption({}))
    , m_title(new QLineEdit)
    , m_text(new QPlainTextEdit)
    , m_kind(new QComboBox)
    , m_asked(new QWidget)
    , m_prompt(new QLineEdit)
    , m_numberRow(new QWidget)
    , m_answer(new QLineEdit)
    , m_tolerance(new QLineEdit)
    , m_choices(new QPlainTextEdit)
    , m_praise(new QLineEdit)
    , m_hint(new QLineEdit)
{
    makeFields();
    const auto field = [this](const QString& name) {
        return [this, name] {
            if (!m_filling)
                emit edited(name);
        };
    };
    const std::pair<QLineEdit*, QString> lines[] = {
        {m_title, tr("Title of the step")},      {m_prompt, tr("Question")},
        {m_answer, tr("Correct number")},        {m_tolerance, tr("Tolerance")},
        {m_praise, tr("Feedback when correct")}, {m_hint, tr("Feedback when wrong")},
    };
    for (const auto& [line, name] : lines) {
        line->setAccessibleName(name);
        line->setMaxLength(kLongest);
        connect(line, &QLineEdit::textChanged, this, field(name));
    }
    const std::pair<QPlainTextEdit*, QString> texts[] = {{m_text, tr("Text")},
                                                         {m_choices, tr("Answers")}};
    for (const auto& [text, name] : texts) {
        text->setAccessibleName(name);
        text->setTabChangesFocus(true);
        connect(text, &QPlainTextEdit::textChanged, this, field(name));
    }
    m_kind->setAccessibleName(tr("Kind of question"));
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        if (!m_filling)
            emit edited(m_kind->accessibleName());
    });
    showKind();
}

void LessonAuthorForm::makeFields()
{
    m_state->setWordWrap(true);
    m_title->setPlaceholderText(tr("Title of the step"));
    m_text->setObjectName("text");
    m_text->setPlaceholderText(tr("What to see here, in a few short sentences"));
    m_kind->addItems({tr("No question"), tr("Ask for a number"), tr("Ask for a choice")});
    auto* marks = caption(tr("**bold**  *italic*  $formula$  [words](term:softmax)  "
                             "{{scores[2,0]|2}}"));
    marks->setTextFormat(Qt::PlainText);
    marks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    columnOf(8,
             {m_state,
              m_title,
              {m_text, 3},
              marks,
              {m_kind, 0, Qt::AlignLeft},
              {m_asked, 2},
              Placed::space(0)},
             this);

    m_prompt->setObjectName("prompt");
    m_prompt->setPlaceholderText(tr("Question"));
    m_answer->setPlaceholderText(tr("Location of the number, such as output[2,1]"));
    m_tolerance->setPlaceholderText(tr("Tolerance"));
    m_tolerance->setMaximumWidth(140);
    m_choices->setObjectName("choices");
    m_choices->setPlaceholderText(tr("One answer per line; start the correct one with *"));
    m_praise->setPlaceholderText(tr("When correct: why"));
    m_hint->setPlaceholderText(tr("When wrong: how to find it"));
    rowOf(kStyleSpacing, {{m_answer, 1}, m_tolerance}, m_numberRow);
    columnOf(8, {m_prompt, m_numberRow, {m_choices, 1}, m_praise, m_hint, Placed::space(0)},
             m_asked);
    m_choices->setMinimumHeight(56);
    m_text->setMinimumHeight(80);
}

void LessonAuthorForm::showKind()
{
    const int kind = m_kind->currentIndex();
    m_asked->setVisible(kind != None);
    m_numberRow->setVisible(kind == Number);
    m_choices->setVisible(kind == Choices);
}

void LessonAuthorForm::setStep(const LessonStep& step)
{
    m_filling = true;
    m_step = step;
    m_state->setText(stateText(step.state));
    say(*m_title, step.title);
    say(*m_text, QString::fromStdString(step.text));
    if (step != LessonAuthorForm::step()) { // Otherwise the user is still typing the question.
        const LessonQuestion question = step.question.value_or(LessonQuestion());
        m_kind->setCurrentIndex(!step.question                   ? None
                                : step.question->choices.empty() ? Number
                                                                 : Choices);
        say(*m_prompt, question.prompt);
        say(*m_answer, question.answer);
        say(*m_tolerance, QString::number(question.tolerance, 'g', 6).toStdString());
        say(*m_choices, choicesText(question));
        say(*m_praise, question.praise);
        say(*m_hint, question.hint);
    }
    m_filling = false;
}

std::optional<LessonQuestion> LessonAuthorForm::question() const
{
    if (m_kind->currentIndex() == None)
        return std::nullopt;
    LessonQuestion question;
    question.prompt = m_prompt->text().toStdString();
    question.praise = m_praise->text().toStdString();
    question.hint = m_hint->text().toStdString();
    if (m_kind->currentIndex() == Choices) {
        readChoices(m_choices->toPlainText(), question);
        return question;
    }
    question.answer = m_answer->text().toStdString();
    if (const auto tolerance = typedNumber(m_tolerance->text()); tolerance && *tolerance >= 0.0)
        question.tolerance = *tolerance;
    return question;
}

LessonStep LessonAuthorForm::step() const
{
    LessonStep step = m_step;
    step.title = m_title->text().toStdString();
    step.text = m_text->toPlainText().toStdString();
    step.question = question();
    return step;
}

} // namespace headscope::ui
