#pragma once

#include "ui/session/session_state.h"

#include <QObject>

#include <optional>

namespace headscope::ui {

/// Brings a Session into a stored state: the model first, which may take a while, then everything
/// else. Text, target and changes become one undo step. When the model cannot be opened, nothing
/// changes and the session says why.
class SessionOpener : public QObject
{
    Q_OBJECT

public:
    explicit SessionOpener(Session& session, QObject* parent = nullptr);

    void open(const SessionState& state); ///< instead of one that still waits for its model

    bool isWaiting() const { return m_waiting.has_value(); }

signals:
    void opened(const headscope::ui::SessionState& state); ///< the model is there, all is set

private:
    void modelCame();
    bool isThere(const SessionState& state) const;
    void apply(const SessionState& state);
    void applyDocument(const SessionState& state);
    void applySelection(const Selection& selection);

    Session& m_session;
    std::optional<SessionState> m_waiting;
};

} // namespace headscope::ui
