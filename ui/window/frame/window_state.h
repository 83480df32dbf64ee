#pragma once

#include "ui/session/session_state.h"
#include "ui/session/settings.h"

#include <QSize>

#include <optional>

class QMainWindow;

namespace headscope::ui {

class Session;

/// Saves and restores the window between sessions, and its size before presenter mode.
class WindowState
{
public:
    WindowState(QMainWindow& window, Session& session, Settings& settings);

    /// Restores the remembered geometry, no larger than the screen.
    void restore();

    /// Saves `own`, the user's session, while a lesson shows another one.
    void save(const std::optional<SessionState>& own);
    void reset();

    void keepSize(); ///< Remembers the size; repeated calls keep the first one.
    void bringSizeBack();

    /// A window's size clipped to a screen's available size, with room for a title bar. Screens
    /// are assumed to be at least 1024 wide.
    static QSize fitting(QSize wanted, QSize available);

private:
    QMainWindow& m_window;
    Session& m_session;
    Settings& m_settings;
    QSize m_keptSize; ///< Remembered size; empty when there is none.
};

} // namespace headscope::ui
