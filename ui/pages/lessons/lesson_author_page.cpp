#include "ui/pages/lessons/lesson_author_page.h"

#include "ui/pages/lessons/lesson_author_form.h"
#include "ui/pages/lessons/lesson_start.h"
#include "ui/pages/lessons/lesson_step_view.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/lesson_document.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kSteps = 272;   // Column widths at scale 1.
constexpr int kForm = 720;    // About 72 characters, the maximum.
constexpr int kPreview = 312; // Same width as in a lesson.
constexpr int kSoonMs = 250;  // Delay (ms) after the last keystroke.

QScrollArea* scrolled(QWidget* inside)
{
    auto* area = new ColumnScroll(inside);
    area->setProperty("role", "page");
    inside->setAutoFillBackground(false);
    return area;
}

} // namespace

LessonAuthorPage::LessonAuthorPage(Session& session)
    : Page(session)
    , m_draft(lessonsOf(session).draft())
    , m_title(new QLineEdit)
    , m_summary(new QLineEdit)
    , m_list(new QListWidget)
    , m_save(new QPushButton(tr("Save\u2026")))
    , m_play(new QPushButton(tr("Play")))
    , m_file(caption({}))
    , m_start(new LessonStart)
    , m_editor(new QWidget)
    , m_form(new LessonAuthorForm)
    , m_stepView(new LessonStepView)
    , m_complaints(paragraph({}, TextRole::Body, Tone::Warn))
{
    auto* row = rowOf(
        24, {makeSteps(), {m_form, 1}, new Hairline(Qt::Vertical), makePreview(), Placed::space(0)},
        m_editor);
    row->setContentsMargins(24, 16, 0, 16);
    m_form->setMaximumWidth(qRound(kForm * Theme::of(*this).scale()));
    m_start->setContentsMargins(24, 16, 24, 16);
    columnOf(0, {{m_start, 1}, {m_editor, 1}}, this);
    connectStart();
    connect(m_form, &LessonAuthorForm::edited, this, [this](const QString& field) {
        m_draft.edit(tr("step %1: %2").arg(m_step + 1).arg(field), [this](Lesson& lesson) {
            if (m_step < static_cast<int>(lesson.steps.size()))
                lesson.steps[static_cast<std::size_t>(m_step)] = m_form->step();
        });
    });
    m_list->installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &LessonAuthorPage::check);
    connect(&m_checker, &LessonChecker::answered, this, &LessonAuthorPage::take);
    connect(&m_draft, &LessonDraft::changed, this, &LessonAuthorPage::showDraft);
    showDraft();
}

void LessonAuthorPage::connectStart()
{
    LessonRun& run = lessonsOf(session());
    connect(m_start, &LessonStart::newWanted, this, &LessonAuthorPage::newWanted);
    connect(m_start, &LessonStart::openWanted, this, &LessonAuthorPage::openWanted);
    connect(m_start, &LessonStart::exampleWanted, this, [this, &run] {
        m_step = 0;
        m_draft.openCopy(*run.library().sample());
        focusMain();
    });
    connect(&run, &LessonRun::libraryChanged, this, &LessonAuthorPage::showExample);
    showExample();
}

void LessonAuthorPage::showExample()
{
    const LessonRun& run = lessonsOf(session());
    m_start->setExample(run.library().sample(), run.context());
}

QPushButton* LessonAuthorPage::addTool(const QString& text, const QString& name)
{
    auto* tool = new QPushButton(text);
    tool->setAccessibleName(name);
    tool->setToolTip(name);
    return tool;
}

QWidget* LessonAuthorPage::makeSteps()
{
    auto* side = new QWidget;
    side->setFixedWidth(qRound(kSteps * Theme::of(*this).scale()));
    m_title->setAccessibleName(tr("Title of the lesson"));
    m_summary->setAccessibleName(tr("Summary in one sentence"));
    m_summary->setPlaceholderText(tr("Summary in one sentence"));
    m_list->setAccessibleName(tr("Steps of your lesson"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(1);
    m_up = addTool(QStringLiteral("\u2191"), tr("Move the step up (Alt+Up)"));
    m_down = addTool(QStringLiteral("\u2193"), tr("Move the step down (Alt+Down)"));
    m_delete = addTool(tr("Delete"), tr("Delete the step (Del); Undo brings it back"));
    m_undo = addTool(tr("Undo"), tr("Undo the last change of your lesson"));
    m_redo = addTool(tr("Redo"), tr("Redo the change"));
    auto* fresh = addTool(tr("New"), tr("Start a new lesson; Undo brings this one back"));
    auto* open = new QPushButton(tr("Open\u2026"));
    m_play->setProperty("role", "primary");
    m_file->setWordWrap(true);
    columnOf(8,
             {m_title,
              m_summary,
              {m_list, 1},
              rowOf(4, {m_up, m_down, m_delete, Placed::space()}),
              rowOf(4, {m_undo, m_redo, Placed::space(), m_play}),
              rowOf(8, {fresh, open, m_save, Placed::space()}),
              m_file},
             side);
    connect(fresh, &QPushButton::clicked, this, &LessonAuthorPage::newWanted);
    connect(open, &QPushButton::clicked, this, &LessonAuthorPage::openWanted);
    connect(m_save, &QPushButton::clicked, this, &LessonAuthorPage::saveWanted);
    connect(m_play, &QPushButton::clicked, this, &LessonAuthorPage::playWanted);
    connect(m_undo, &QPushButton::clicked, &m_draft, &LessonDraft::undo);
    connect(m_redo, &QPushButton::clicked, &m_draft, &LessonDraft::redo);
    const auto move = [this](int by) {
        const int to = m_step + by;
        const int from = m_step;
        if (to < 0 || to >= m_list->count())
            return;
        m_step = to;
        m_draft.moveStep(from, to);
    };
    connect(m_up, &QPushButton::clicked, this, [move] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [move] { move(1); });
    connect(m_delete, &QPushButton::clicked, this, [this] { m_draft.removeStep(m_step); });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int step) {
        if (!m_showing && step >= 0)
            chooseStep(step);
    });
    connect(m_title, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_draft.edit(tr("title"), [&](Lesson& lesson) { lesson.title = text.toStdString(); });
    });
    connect(m_summary, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_draft.edit(tr("summary"), [&](Lesson& lesson) { lesson.summary = text.toStdString(); });
    });
    return side;
}

QWidget* LessonAuthorPage::makePreview()
{
    auto* inside = new QWidget;
    m_complaints->setObjectName("complaints");
    m_complaints->setAccessibleName(tr("Problems with the lesson"));
    m_complaints->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = columnOf(
        12, {caption(tr("Preview")), m_stepView, new Hairline, m_complaints, Placed::space()},
        inside);
    column->setContentsMargins(0, 0, 24, 0);
    connect(m_stepView, &LessonStepView::numberGiven, this, [this](const QString& typed) {
        const auto number = typedNumber(typed);
        m_stepView->setVerdict({LessonVerdict::Kind::Unreadable,
                                number ? tr("Play the lesson to have answers checked.")
                                       : tr("Type a number, such as 0.25 or 1/4.")});
    });
    QScrollArea* area = scrolled(inside);
    area->setFixedWidth(qRound(kPreview * Theme::of(*this).scale()));
    return area;
}

// ------------------------------------------------------------------------------------ the draft

void LessonAuthorPage::chooseStep(int step)
{
    m_step = step;
    showDraft();
}

void LessonAuthorPage::showDraft()
{
    m_showing = true;
    const Lesson& lesson = m_draft.lesson();
    const int count = static_cast<int>(lesson.steps.size());
    m_step = std::clamp(m_step, 0, std::max(0, count - 1));
    const auto show = [](QLineEdit& field, const std::string& text) {
        if (field.text().toStdString() == text)
            return;
        field.setText(QString::fromStdString(text));
        field.setCursorPosition(0); // A long text shows its beginning.
    };
    show(*m_title, lesson.title);
    show(*m_summary, lesson.summary);
    showSteps();
    m_start->setVisible(count == 0);
    m_editor->setVisible(count > 0);
    if (count > 0)
        m_form->setStep(lesson.steps[static_cast<std::size_t>(m_step)]);
    m_up->setEnabled(m_step > 0);
    m_down->setEnabled(m_step + 1 < count);
    m_delete->setEnabled(count > 0);
    m_undo->setEnabled(m_draft.canUndo());
    m_redo->setEnabled(m_draft.canRedo());
    m_save->setEnabled(count > 0);
    m_play->setEnabled(count > 0);
    const QString name = QFileInfo(m_draft.path()).fileName();
    m_file->setText(count == 0          ? QString()
                    : name.isEmpty()    ? tr("Not saved to a file; the draft is kept.")
                    : m_draft.isSaved() ? tr("Saved in %1.").arg(name)
                                        : tr("Unsaved changes; saved in %1.").arg(name));
    m_showing = false;
    checkSoon();
}

void LessonAuthorPage::showSteps()
{
    const std::vector<LessonStep>& steps = m_draft.lesson().steps;
    while (m_list->count() > static_cast<int>(steps.size()))
        delete m_list->takeItem(m_list->count() - 1);
    while (m_list->count() < static_cast<int>(steps.size()))
        m_list->addItem(QString());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const QString title = QString::fromStdString(steps[i].title);
        const QString shown = title.trimmed().isEmpty() ? tr("untitled") : title;
        m_list->item(static_cast<int>(i))->setText(QStringLiteral("%1  %2").arg(i + 1).arg(shown));
        m_list->item(static_cast<int>(i))->setToolTip(stateText(steps[i].state));
    }
    m_list->setCurrentRow(steps.empty() ? -1 : m_step);
}

void LessonAuthorPage::checkSoon()
{
    if (isVisible())
        m_soon.start();
}

void LessonAuthorPage::check()
{
    m_checker.check(m_draft.lesson(), m_step, lessonsOf(session()).context());
}

void LessonAuthorPage::take(const LessonChecker::Answer& answer)
{
    LessonStepView::Content content;
    content.problem = answer.problem;
    if (answer.filled) {
        content.title = QString::fromStdString(answer.filled->title);
        content.text = withTermLinks(lessonBlocks(QString::fromStdString(answer.filled->text)),
                                     lessonsOf(session()).library(), {});
        content.question = answer.filled->question;
    }
    m_stepView->setContent(content);
    m_complaints->setText(answer.complaints.isEmpty() ? tr("No problems.")
                                                      : answer.complaints.join("\n\n"));
    m_complaints->setTone(answer.complaints.isEmpty() ? Tone::Ok : Tone::Warn);
}

// ------------------------------------------------------------------------------------- the page

void LessonAuthorPage::refresh(ChangeSet) {}

void LessonAuthorPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    checkSoon();
}

bool LessonAuthorPage::isSettled() const
{
    return !m_soon.isActive() && m_checker.isSettled();
}

/// The window has shortcuts of its own on these keys.
bool LessonAuthorPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        event->accept();
        return true;
    }
    return Page::eventFilter(watched, event);
}

void LessonAuthorPage::keyPressEvent(QKeyEvent* event)
{
    const bool isInList = m_list->hasFocus();
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up)
        m_up->click();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down)
        m_down->click();
    else if (isInList && event->key() == Qt::Key_Delete)
        m_delete->click();
    else
        Page::keyPressEvent(event);
}

void LessonAuthorPage::focusMain()
{
    if (m_draft.lesson().steps.empty())
        (m_start->exampleButton().isVisibleTo(m_start) ? m_start->exampleButton()
                                                       : m_start->newButton())
            .setFocus(Qt::OtherFocusReason);
    else
        m_list->setFocus(Qt::OtherFocusReason);
}

QString LessonAuthorPage::hint() const
{
    return tr("Ctrl+Shift+D adds the state of a page \u00B7 Alt+\u2191 \u2193 reorder \u00B7 Del "
              "deletes");
}

PageDescriptor LessonAuthorPage::descriptor()
{
    return {.name = "your-lesson",
            .title = tr("Your lesson"),
            .question = tr("What would you like to teach?"),
            .group = PageGroup::Course,
            .icon = "<path d='M4 17.2l1 -4L14 4.2l3 3L8 16.2zM12 6.2l3 3'/>",
            .help = tr("Write a lesson: each step is a state of the window added with "
                       "Ctrl+Shift+D, with a text and a question. The right side shows a "
                       "preview and any problems."),
            .make = makePage<LessonAuthorPage>};
}

} // namespace headscope::ui
