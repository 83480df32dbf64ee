#pragma once

#include "ui/session/session.h"

#include <QFlags>
#include <QWidget>

namespace headscope::ui {

/// Kinds of change that a view has to redraw for.
enum class Change {
    Tokens = 1,
    Trace = 2,
    Selection = 4,
    Model = 8,
    Changes = 16,
    Busy = 32,
    ColourMap = 64,
    Display = 128, ///< Display options of tokens.
};
Q_DECLARE_FLAGS(ChangeSet, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(ChangeSet)

/// A page or panel that follows the session. Changes are collected, passed to refresh() once per
/// turn of the event loop, and deferred while the view is hidden.
class SessionPanel : public QWidget
{
    Q_OBJECT

public:
    explicit SessionPanel(Session& session, QWidget* parent = nullptr);

    Session& session() const { return m_session; }

    /// True when no measurement for the current view is pending.
    virtual bool isSettled() const { return true; }

protected:
    virtual void refresh(ChangeSet changes) = 0;

    void note(ChangeSet changes);
    void showEvent(QShowEvent* event) override;

private:
    void refreshNow();

    Session& m_session;
    ChangeSet m_pending;
    bool m_posted = false;
};

} // namespace headscope::ui
