#include "ui/window/find/text_actions.h"

#include "core/analysis/scores/needle.h"
#include "ui/session/session.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/token_rows.h"

namespace headscope::ui {

namespace {

/// Depth of the sentence that is repeated: the copy is far from it, and it is not the first, on
/// which many heads put attention whatever it says.
constexpr double kNeedleDepth = 0.5;

} // namespace

TextActions::TextActions(WindowActions& actions, Session& session, TokenRows& tokens, FindBar& find)
    : QObject(&actions)
    , m_session(session)
    , m_needle(actions.action("edit.needle"))
{
    actions.on("edit.token", &tokens, &TokenRows::editQuery);
    actions.on("edit.mask", &tokens, &TokenRows::maskQuery);
    actions.on("edit.findToken", &find, &FindBar::open);
    actions.on("edit.needle", this, &TextActions::repeatSentence);
    m_needle.setToolTip(
        tr("Gives the retrieval score of heads a needle: a sentence that the text copies"));
    connect(&session, &Session::textChanged, this, &TextActions::refresh);
    connect(&session, &Session::modelChanged, this, &TextActions::refresh);
    refresh();
}

void TextActions::refresh()
{
    m_needle.setEnabled(!m_session.isCaptured() && !m_session.document().readsChat() &&
                        !m_session.text().trimmed().isEmpty());
}

void TextActions::repeatSentence()
{
    const std::string text = withNeedle(m_session.text().toStdString(), kNeedleDepth);
    if (!text.empty())
        m_session.document().replaceText(QString::fromStdString(text));
}

} // namespace headscope::ui
