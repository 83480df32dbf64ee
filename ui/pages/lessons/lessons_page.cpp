#include "ui/pages/lessons/lessons_page.h"

#include "ui/pages/lessons/lesson_stage.h"
#include "ui/pages/lessons/lessons_contents.h"
#include "ui/session/lessons/lesson_run.h"

#include <QJsonObject>
#include <QStackedLayout>

namespace headscope::ui {

LessonsPage::LessonsPage(Session& session)
    : Page(session)
    , m_run(lessonsOf(session))
    , m_stack(new QStackedLayout(this))
    , m_contents(new LessonsContents(lessonsOf(session)))
    , m_stage(new LessonStage(session))
{
    m_stack->addWidget(m_contents);
    m_stack->addWidget(m_stage);
    connect(m_stage, &LessonStage::pageWanted, this, &LessonsPage::pageWanted);
    connect(&m_run, &LessonRun::stepChanged, this, &LessonsPage::follow);
    follow();
}

void LessonsPage::follow()
{
    if (m_run.isOpen())
        m_stage->showStep(m_run.current());
    QWidget* shown = m_run.isOpen() ? static_cast<QWidget*>(m_stage) : m_contents;
    for (QWidget* part : {static_cast<QWidget*>(m_stage), static_cast<QWidget*>(m_contents)})
        part->setSizePolicy(part == shown ? QSizePolicy::Expanding : QSizePolicy::Ignored,
                            part == shown ? QSizePolicy::Expanding : QSizePolicy::Ignored);
    m_stack->setCurrentWidget(shown); // Hidden pages do not enlarge the window.
    emit hintChanged();
}

void LessonsPage::refresh(ChangeSet) {}

Figure LessonsPage::figure() const
{
    return m_run.isOpen() ? m_stage->figure() : Figure{};
}

void LessonsPage::focusMain()
{
    if (m_run.isOpen())
        m_stage->focusMain();
    else
        m_contents->focusMain();
}

/// A user's own lesson is a separate file; only lessons of the course are known by name.
QJsonObject LessonsPage::options() const
{
    if (!m_run.isOpen() || m_run.number() == 0)
        return {};
    return {{"lesson", QString::fromStdString(m_run.lesson().id)}, {"step", m_run.step()}};
}

void LessonsPage::setOptions(const QJsonObject& options)
{
    const Lesson* lesson = m_run.library().find(options.value("lesson").toString().toStdString());
    if (!lesson)
        return;
    m_run.start(Lesson(*lesson), options.value("step").toInt());
}

QString LessonsPage::hint() const
{
    return m_run.isOpen()
               ? tr("Alt+PgDown next step \u00B7 Alt+PgUp previous \u00B7 Shift+F11 present")
               : tr("Arrows move \u00B7 Enter opens a lesson");
}

bool LessonsPage::isSettled() const
{
    return m_run.isSettled() && (!m_run.isOpen() || m_stage->isSettled());
}

PageDescriptor LessonsPage::descriptor()
{
    return {.name = "lessons",
            .title = tr("Lessons"),
            .question = tr("How does attention work, step by step?"),
            .group = PageGroup::Course,
            .icon = "<path d='M10 5v12M10 5C8 3.6 5.5 3.2 2.5 3.5v12c3 -.3 5.5 .1 7.5 1.5M10 5c2 "
                    "-1.4 4.5 -1.8 7.5 -1.5v12c-3 -.3 -5.5 .1 -7.5 1.5'/>",
            .help = tr("Take the course lesson by lesson; your progress is saved. In a lesson, "
                       "this side shows the model and the right side the text. Every number in "
                       "the text is computed from what you see."),
            .make = makePage<LessonsPage>};
}

} // namespace headscope::ui
