#include "ui/window/actions/go_actions.h"

#include "ui/session/session.h"
#include "ui/session/things_to_try.h"
#include "ui/window/actions/window_actions.h"

#include <algorithm>

namespace headscope::ui {

GoActions::GoActions(WindowActions& actions, Session& session)
    : QObject(&actions)
    , m_session(session)
    , m_back(actions.action("go.back"))
    , m_forward(actions.action("go.forward"))
{
    actions.on("go.nextLayer", this, [this] { moveHead(1, 0); });
    actions.on("go.previousLayer", this, [this] { moveHead(-1, 0); });
    actions.on("go.nextHead", this, [this] { moveHead(0, 1); });
    actions.on("go.previousHead", this, [this] { moveHead(0, -1); });
    actions.on("go.nextQuery", this, [this] { moveToken(1, 0); });
    actions.on("go.previousQuery", this, [this] { moveToken(-1, 0); });
    actions.on("go.nextKey", this, [this] { moveToken(0, 1); });
    actions.on("go.previousKey", this, [this] { moveToken(0, -1); });
    actions.on("go.lastToken", &session.view(), &ViewState::releasePair);
    actions.on("go.back", &session.view(), &ViewState::goBack);
    actions.on("go.forward", &session.view(), &ViewState::goForward);
    actions.on("help.things", &thingsToTryOf(session), &ThingsToTry::offerAgain);
    connect(&session, &Session::selectionChanged, this, &GoActions::refresh);
    connect(&session, &Session::changesChanged, this, &GoActions::refresh);
    connect(&session, &Session::modelChanged, this, &GoActions::refresh);
    refresh();
}

void GoActions::refresh()
{
    m_back.setEnabled(m_session.view().canGoBack());
    m_forward.setEnabled(m_session.view().canGoForward());
}

void GoActions::moveHead(int layers, int heads)
{
    const Selection& selection = m_session.selection();
    m_session.view().activateHead(selection.layer + layers, selection.head + heads);
}

void GoActions::moveToken(int queries, int keys)
{
    const TracePtr& trace = m_session.shownTrace();
    const TokenPair pair = m_session.pair();
    if (!trace || pair.query < 0)
        return;
    const AttentionKind part = m_session.selection().part;
    const auto within = [](int index, const TokenSequence& tokens) {
        return std::clamp(index, 0, static_cast<int>(tokens.size()) - 1);
    };
    const int query = within(pair.query + queries, trace->queryTokens(part));
    const int key = keys == 0 ? -1 : within(pair.key + keys, trace->keyTokens(part));
    m_session.view().selectPair(query, key);
}

} // namespace headscope::ui
