#pragma once

#include <QObject>

class QAction;

namespace headscope::ui {

class Session;
class WindowActions;

/// Navigation through layers, heads and tokens, and back and forward through the history.
class GoActions : public QObject
{
    Q_OBJECT

public:
    GoActions(WindowActions& actions, Session& session);

    /// Moves along the query or key tokens of the active head.
    void moveToken(int queries, int keys);

private:
    void moveHead(int layers, int heads);
    void refresh();

    Session& m_session;
    QAction& m_back;
    QAction& m_forward;
};

} // namespace headscope::ui
