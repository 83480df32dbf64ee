#include "ui/window/actions/learn_actions.h"

#include "ui/session/lessons/lesson_run.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/lesson_files.h"

namespace headscope::ui {

LearnActions::LearnActions(WindowActions& actions, LessonDesk& desk, LessonRun& run)
    : QObject(&actions)
    , m_run(run)
    , m_back(actions.action("learn.back"))
{
    actions.on("learn.next", &desk, &LessonDesk::next);
    actions.on("learn.back", &desk, &LessonDesk::back);
    actions.on("learn.thisPage", &desk, &LessonDesk::explainPage);
    actions.on("learn.addStep", &desk.files(), &LessonFiles::addStep);
    actions.on("learn.open", &desk.files(), &LessonFiles::chooseLesson);
    actions.on("learn.save", &desk.files(), &LessonFiles::chooseDraftFile);
    connect(&run, &LessonRun::stepChanged, this, &LearnActions::refresh);
    refresh();
}

void LearnActions::refresh()
{
    m_back.setEnabled(m_run.isOpen() && !m_run.isFirst());
}

} // namespace headscope::ui
