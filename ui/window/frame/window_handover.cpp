#include "ui/window/frame/window_handover.h"

#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/lessons/lesson_desk.h"

#include <QAction>

namespace headscope::ui {

namespace {

const QString kLessons = QStringLiteral("lessons"); // its page follows the open lesson

} // namespace

WindowHandover::WindowHandover(MainWindow& window)
    : m_isVisible(window.isVisible())
    , m_isPresenting(window.isPresenting())
    , m_hasSettings(window.findChild<SettingsDialog*>() != nullptr)
    , m_state(window.files().state())
    , m_sessionPath(window.files().sessionPath())
    , m_own(window.lessonDesk().ownState())
    , m_ownUndo(window.lessonDesk().ownUndo())
{
    if (m_isPresenting)
        window.setPresenting(false);
    m_geometry = window.saveGeometry();
    m_docks = window.saveState();
    m_state.pages.remove(kLessons);
}

void WindowHandover::apply(MainWindow& window) const
{
    window.restoreGeometry(m_geometry);
    window.restoreState(m_docks);
    window.files().setSessionPath(m_sessionPath);
    window.lessonDesk().resume(m_own, m_ownUndo);
    window.files().showPages(m_state);
    if (m_isPresenting)
        window.setPresenting(true);
    if (m_isVisible)
        window.show();
    if (m_hasSettings)
        window.findChild<WindowActions*>()->action("edit.settings").trigger();
}

} // namespace headscope::ui
