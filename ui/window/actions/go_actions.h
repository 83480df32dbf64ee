#pragma once

#include <QObject>

class QAction;

namespace headscope::ui {

class Session;
class WindowActions;

/// Ways through layers, heads and tokens, and through the history of places.
class GoActions : public QObject
{
    Q_OBJECT

public:
    GoActions(WindowActions& actions, Session& session);

    /// Steps along the query's or the key's tokens of the active head.
    void moveToken(int queries, int keys);

private:
    void moveHead(int layers, int heads);
    void refresh();

    Session& m_session;
    QAction& m_back;
    QAction& m_forward;
};

} // namespace headscope::ui
