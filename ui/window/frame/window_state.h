#pragma once

#include "ui/session/session_state.h"
#include "ui/session/settings.h"

#include <QSize>

#include <optional>

class QMainWindow;

namespace headscope::ui {

class Session;

/// What is remembered of the window from one day to the next, and its size from before it was
/// enlarged for an audience.
class WindowState
{
public:
    WindowState(QMainWindow& window, Session& session, Settings& settings);

    void restore();

    /// `own` is the person's session where a lesson shows another one.
    void save(const std::optional<SessionState>& own);
    void reset();

    void keepSize(); ///< the first of several counts
    void bringSizeBack();

private:
    QMainWindow& m_window;
    Session& m_session;
    Settings& m_settings;
    QSize m_keptSize; ///< empty while none is kept
};

} // namespace headscope::ui
