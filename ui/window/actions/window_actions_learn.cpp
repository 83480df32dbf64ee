// The Learn menu.
#include "ui/session/lessons/lesson_run.h"
#include "ui/window/actions/window_actions.h"

#include <QMenu>

namespace headscope::ui {

void WindowActions::fillLearn(QMenu& menu)
{
    for (const char* page : {"lessons", "example", "lab", "your-lesson"}) {
        if (QAction* action = m_pageActions.value(QLatin1String(page)))
            menu.addAction(action);
    }
    menu.addSeparator();
    add(menu, tr("&Next step"), QKeySequence("Alt+PgDown"), [this] { emit lessonNextWanted(); });
    m_lessonBack = add(menu, tr("P&revious step"), QKeySequence("Alt+PgUp"),
                       [this] { emit lessonBackWanted(); });
    menu.addAction(m_presenter);
    add(menu, tr("Lesson about this &page"), QKeySequence("F1"),
        [this] { emit lessonOfPageWanted(); });
    menu.addSeparator();
    add(menu, tr("&Add this state as a step"), QKeySequence("Ctrl+Shift+D"),
        [this] { emit stepAddWanted(); });
    add(menu, tr("&Open a lesson\u2026"), {}, [this] { emit lessonOpenWanted(); });
    add(menu, tr("&Save your lesson\u2026"), {}, [this] { emit lessonSaveWanted(); });
    const auto refresh = [this] {
        m_lessonBack->setEnabled(lessonsOf(m_session).isOpen() && !lessonsOf(m_session).isFirst());
    };
    connect(&lessonsOf(m_session), &LessonRun::stepChanged, this, refresh);
    refresh();
}

} // namespace headscope::ui
