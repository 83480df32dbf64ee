// What the frame has to do with lessons: their column, their menu, their links from pages.
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/window/actions/learn_actions.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/rail.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/lesson_of_page.h"
#include "ui/window/models/model_chooser.h"

#include <QStackedWidget>
#include <QWhatsThisClickedEvent>

namespace headscope::ui {

void MainWindow::makeDesk()
{
    m_desk = new LessonDesk(*this, m_session, m_settings);
}

void MainWindow::connectLessons()
{
    new LearnActions(*m_actions, *m_desk, lessonsOf(m_session));
    connect(m_desk, &LessonDesk::presentingWanted, this, [this] { setPresenting(true); });
    connect(&lessonsOf(m_session), &LessonRun::stepChanged, this, [this] {
        placeInspector();
        m_rail->setCompact(m_narrow || m_desk->isTight());
    });
    auto* lessons = m_pages->findChild<LessonsPage*>();
    connect(lessons, &LessonsPage::hintChanged, this, [this, lessons] {
        if (m_pages->currentWidget() == lessons)
            m_status->setHints(lessons->hint());
    });
    connect(&lessonsOf(m_session), &LessonRun::libraryChanged, this, &MainWindow::explainLessons);
}

/// What's This of a page, or of a part of the frame, ends with the way to its lesson.
void MainWindow::explainLessons()
{
    std::vector<std::pair<QWidget*, QString>> parts{{m_tokens, QStringLiteral("tokens")},
                                                    {m_inspector, QStringLiteral("inspector")},
                                                    {m_chooser, QStringLiteral("model")}};
    for (int index = 0; index < m_pages->count(); ++index)
        parts.emplace_back(m_pages->widget(index), m_pages->widget(index)->objectName());
    for (const auto& [widget, name] : parts) {
        widget->installEventFilter(this);
        const Lesson* lesson = lessonOfPage(lessonsOf(m_session).library(), name);
        const QString text = widget->whatsThis();
        if (!lesson || text.contains(QLatin1String("lesson:")))
            continue;
        widget->setWhatsThis(
            QStringLiteral("<p>%1</p><p><a href=\"lesson:%2\">%3</a></p>")
                .arg(text.toHtmlEscaped(), QString::fromStdString(lesson->id),
                     tr("Lesson: %1").arg(QString::fromStdString(lesson->title).toHtmlEscaped())));
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::WhatsThisClicked)
        return QMainWindow::eventFilter(watched, event);
    m_desk->follow(static_cast<QWhatsThisClickedEvent*>(event)->href());
    return true;
}

} // namespace headscope::ui
