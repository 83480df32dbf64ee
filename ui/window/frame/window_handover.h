#pragma once

#include "ui/session/session_state.h"

#include <QByteArray>

#include <optional>

namespace headscope::ui {

class MainWindow;

/// What a window keeps when it is made again around the same session: place, pages and their
/// options, the file and the open lesson. The session itself keeps everything else.
class WindowHandover
{
public:
    explicit WindowHandover(MainWindow& window);

    void apply(MainWindow& window) const;

private:
    bool m_isVisible;
    bool m_isPresenting;
    bool m_hasSettings; ///< True while the settings dialog is open.
    QByteArray m_geometry;
    QByteArray m_docks;
    SessionState m_state;
    QString m_sessionPath;
    std::optional<SessionState> m_own; ///< The user's session while a lesson shows another one.
    int m_ownUndo;
};

} // namespace headscope::ui
