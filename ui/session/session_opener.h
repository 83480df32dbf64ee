#pragma once

#include "ui/session/session_state.h"

#include <QObject>

#include <optional>

namespace headscope::ui {

/// Restores a stored state in a Session: first the model, which may take a while, then everything
/// else. If the model cannot be opened, nothing changes and the session reports the error. A
/// checkpoint of a series is opened with its series, or alone where that is gone.
class SessionOpener : public QObject
{
    Q_OBJECT

public:
    enum class History {
        OneStep, ///< Text, target and changes become one undo step.
        Restart, ///< Nothing is left to undo: earlier steps belong to another session.
    };

    explicit SessionOpener(Session& session);

    /// Opens a state, replacing one that still waits for its model.
    void open(const SessionState& state, History history = History::OneStep);

signals:
    /// Emitted when the model is open and the state restored.
    void opened(const headscope::ui::SessionState& state);

private:
    void openModel(const SessionState& state);
    void modelCame();
    void seriesCame();
    void openWithoutSeries();
    bool isThere(const SessionState& state) const;
    bool isInItsSeries(const SessionState& state) const;
    void apply(const SessionState& state);
    void applyDocument(const SessionState& state);
    void applySelection(const Selection& selection);

    Session& m_session;
    std::optional<SessionState> m_waiting;
    History m_history = History::OneStep;
};

} // namespace headscope::ui
