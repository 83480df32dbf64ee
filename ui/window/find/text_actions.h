#pragma once

#include "ui/window/find/find_bar.h"

#include <QObject>

class QAction;

namespace headscope::ui {

class TokenRows;
class WindowActions;

/// Actions on the text: edit or mask a token, search, and repeat a sentence at the end, which gives
/// the retrieval score a needle.
class TextActions : public QObject
{
    Q_OBJECT

public:
    TextActions(WindowActions& actions, Session& session, TokenRows& tokens, FindBar& find);

private:
    void repeatSentence();
    void refresh();

    Session& m_session;
    QAction& m_needle;
};

} // namespace headscope::ui
