#include "ui/window/frame/token_rows.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/masked_words.h"
#include "ui/session/second_text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_bytes.h"
#include "ui/widgets/text/token_chips.h"
#include "ui/widgets/text/token_strip.h"

#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kRowHeight = 48;
constexpr int kTurnHeight = 18;          // of the turns of a chat, above their chips
constexpr int kTitleWidth = 132;         // aligns the strips with the page
constexpr std::size_t kChipsBeyond = 64; // Number of tokens shown beyond the model's context.

TextLabel* rowTitle(const QString& text)
{
    auto* title = new TextLabel(text, TextRole::Body, TextLabel::Tone::Text3);
    title->setFixedWidth(kTitleWidth);
    title->setForegroundRole(QPalette::WindowText); // default would be the tool bar's role
    return title;
}

QWidget* stripRow(QWidget* title, QWidget* strip, QWidget* end)
{
    auto* row = new QWidget;
    row->setFixedHeight(kRowHeight);
    auto* line = rowOf(0, {title, {strip, 1}}, row);
    line->setContentsMargins(16, 0, 24, 0);
    if (end) {
        line->addSpacing(16);
        line->addWidget(end);
    }
    return row;
}

/// Text such as "Pieces" or "Words, sum, special and first hidden".
QString displayWords(const TokenDisplay& display)
{
    using Grouping = TokenDisplay::Grouping;
    const QString grouping = display.grouping == Grouping::Pieces    ? TokenRows::tr("Pieces")
                             : display.grouping == Grouping::WordSum ? TokenRows::tr("Words, sum")
                                                                     : TokenRows::tr("Words, mean");
    const QString hidden = display.hideSpecial && display.hideFirst
                               ? TokenRows::tr("%1, special and first hidden")
                           : display.hideSpecial ? TokenRows::tr("%1, special hidden")
                           : display.hideFirst   ? TokenRows::tr("%1, first hidden")
                                                 : QStringLiteral("%1");
    const QString folded =
        display.foldTemplate ? TokenRows::tr("%1, template folded") : QStringLiteral("%1");
    return folded.arg(hidden.arg(grouping));
}

/// Names of the turns that the model reads, or that a captured trace has; none for a sentence.
QStringList turnNames(const Session& session)
{
    QStringList names;
    for (const std::string& role : session.models().capturedRoles())
        names << roleName(role);
    if (session.document().readsChat())
        for (const ChatTurn& turn : session.document().chat().input.turns)
            names << roleName(turn.role);
    return names;
}

/// Word of each token; none while every token is shown alone.
std::vector<int> wordsOf(const TokenSequence& tokens, const TokenDisplay& display)
{
    if (display.grouping == TokenDisplay::Grouping::Pieces)
        return {};
    std::vector<int> words(tokens.size());
    int word = 0;
    for (const TokenGroup& group : wordGroups(tokens)) {
        for (const int token : group)
            words[static_cast<std::size_t>(token)] = word;
        ++word;
    }
    return words;
}

} // namespace

TokenRows::TokenRows(Session& session, QMenu& tokenMenu) : m_session(session)
{
    makeRows(tokenMenu);
    connect(m_source, &TokenStrip::queryChosen, this,
            [this](int index) { chooseInSource(index, false); });
    connect(m_source, &TokenStrip::keyChosen, this,
            [this](int index) { chooseInSource(index, true); });
    connect(m_target, &TokenStrip::queryChosen, this,
            [this](int index) { chooseInTarget(index, false); });
    connect(m_target, &TokenStrip::keyChosen, this,
            [this](int index) { chooseInTarget(index, true); });
    for (const bool target : {false, true}) {
        TokenStrip* strip = target ? m_target : m_source;
        connect(strip, &TokenStrip::editWanted, this,
                [this, target](int index) { edit(target, index); });
        connect(strip, &TokenStrip::edited, this,
                [this, target](int index, const QString& text) { replace(target, index, text); });
    }
    connect(&session, &Session::displayChanged, this, &TokenRows::refreshDisplay);
    refreshDisplay();
}

void TokenRows::makeRows(QMenu& tokenMenu)
{
    m_source = new TokenStrip;
    m_target = new TokenStrip;
    m_target->setObjectName("target");
    m_target->setAccessibleName(tr("Target tokens"));
    m_button = new QToolButton;
    m_button->setObjectName("tokenMenu");
    m_button->setProperty("role", "plain");
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    // the text contains the arrow
    m_button->setStyleSheet("QToolButton::menu-indicator { image: none; }");
    m_button->setMenu(&tokenMenu);
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setAccessibleName(tr("Token display"));
    m_sourceTitle = rowTitle(tr("Tokens"));
    m_targetRow = stripRow(rowTitle(tr("Target tokens")), m_target, nullptr);
    m_targetRow->hide();
    m_sourceRow = stripRow(m_sourceTitle, m_source, m_button);
    columnOf(0, {m_sourceRow, m_targetRow}, this);
}

void TokenRows::fitHeight()
{
    const double scale = Theme::of(*this).scale();
    const int chips = kRowHeight + (m_session.document().readsChat() ? kTurnHeight : 0);
    for (QWidget* row : {m_sourceRow, m_targetRow})
        row->setFixedHeight(qRound((row == m_sourceRow ? chips : kRowHeight) * scale));
}

void TokenRows::refreshDisplay()
{
    const TokenDisplay& display = m_session.view().display();
    m_button->setText(displayWords(display) + QStringLiteral(" \u25BE"));
    m_button->setToolTip(tr("Token display: %1").arg(displayWords(display)));
    m_source->setDetailed(display.showIds);
    m_target->setDetailed(display.showIds);
    m_source->setTemplateFolded(display.foldTemplate);
    refreshMarks();
}

// ----------------------------------------------------------------------------------- following

void TokenRows::refreshTokens()
{
    const Tokenizer* tokenizer = m_session.model().tokenizer.get();
    const bool two = m_session.models().readsTarget();
    m_sourceTitle->setText(two ? tr("Source tokens") : tr("Tokens"));
    m_source->setAccessibleName(m_sourceTitle->text());
    m_targetRow->setVisible(two);
    if (!tokenizer) {
        m_source->setChips({});
        return;
    }
    m_source->setTurns(turnNames(m_session));
    fitHeight();
    TokenSequence shown = m_session.document().tokens();
    const auto longest = static_cast<std::size_t>(m_session.models().longestText());
    const auto seen = static_cast<int>(std::min(shown.tokens.size(), longest));
    if (shown.tokens.size() > longest + kChipsBeyond)
        shown.tokens.resize(longest + kChipsBeyond);
    m_source->setChips(m_session.text().isEmpty() ? std::vector<TokenChip>()
                                                  : tokenChips(shown, *tokenizer),
                       seen, std::max<qint64>(m_session.textTokens(), seen));
    refreshMarks();
}

void TokenRows::refreshTrace()
{
    const TracePtr& trace = m_session.traceA();
    if (m_session.models().readsTarget() && trace) {
        const TokenSequence& tokens = trace->queryTokens(AttentionKind::Cross);
        if (tokens != m_targetTokens || m_target->chips().size() != tokens.size()) {
            m_targetTokens = tokens;
            m_target->setChips(tokenChips(tokens, *m_session.model().tokenizer));
        }
    }
    refreshMarks();
}

bool TokenRows::isMarkedInTarget(bool key) const
{
    const AttentionKind part = m_session.selection().part;
    return part == AttentionKind::DecoderSelf || (part == AttentionKind::Cross && !key);
}

void TokenRows::refreshMarks()
{
    const TokenPair pair = m_session.pair();
    const auto mark = [](TokenStrip& strip, bool here, int index) {
        const bool exists = here && index >= 0 && index < static_cast<int>(strip.chips().size());
        return exists ? std::optional(index) : std::nullopt;
    };
    const TokenDisplay& display = m_session.view().display();
    m_source->setWords(wordsOf(m_session.document().tokens(), display));
    m_target->setWords(wordsOf(m_targetTokens, display));
    m_source->setQuery(mark(*m_source, !isMarkedInTarget(false), pair.query));
    m_source->setKey(mark(*m_source, !isMarkedInTarget(true), pair.key));
    m_target->setQuery(mark(*m_target, isMarkedInTarget(false), pair.query));
    m_target->setKey(mark(*m_target, isMarkedInTarget(true), pair.key));
}

void TokenRows::refreshStale()
{
    m_source->setStale(m_session.computation().isStale());
    m_target->setStale(m_session.computation().isStale());
}

// ------------------------------------------------------------------------------------ choosing

/// Selects a source token, which is a key of the cross-attention; in parts without source tokens
/// the selection moves to cross-attention.
void TokenRows::chooseInSource(int index, bool asKey)
{
    if (m_session.selection().part == AttentionKind::DecoderSelf)
        m_session.view().activatePart(AttentionKind::Cross);
    if (asKey || m_session.selection().part == AttentionKind::Cross)
        m_session.view().selectPair(m_session.pair().query, index);
    else
        m_session.view().selectPair(index, -1);
}

void TokenRows::chooseInTarget(int index, bool asKey)
{
    const bool hasKeys = m_session.selection().part == AttentionKind::DecoderSelf;
    if (m_session.selection().part == AttentionKind::EncoderSelf || (asKey && !hasKeys))
        m_session.view().activatePart(AttentionKind::DecoderSelf);
    m_session.view().selectPair(asKey ? m_session.pair().query : index, asKey ? index : -1);
}

// ------------------------------------------------------------------------------------- editing

void TokenRows::editQuery()
{
    const bool target = isMarkedInTarget(false);
    const std::optional<int> query = target ? m_target->query() : m_source->query();
    if (query)
        edit(target, *query);
}

void TokenRows::maskQuery()
{
    MaskedWords& masked = MaskedWords::of(m_session);
    const int query = m_source->query().value_or(-1);
    if (const QString why = masked.obstacle(query); !why.isEmpty())
        emit messageWanted(why);
    else
        masked.toggle(query);
}

void TokenRows::edit(bool target, int index)
{
    const Tokenizer* tokenizer = m_session.model().tokenizer.get();
    const TokenSequence& tokens = target ? m_targetTokens : m_session.document().tokens();
    if (!tokenizer)
        return;
    if (m_session.isCaptured()) {
        emit messageWanted(tr("A captured trace is read-only. Open a model to edit the text."));
        return;
    }
    if (!target && m_session.document().readsChat()) {
        emit messageWanted(tr("Edit the turn above to change the text of a chat."));
        return;
    }
    const ByteRange range = editableBytes(tokens, *tokenizer, index);
    if (range.begin == range.end) {
        emit messageWanted(
            tr("Token %1 was added by the model and is not part of the text.").arg(index));
        return;
    }
    const std::string text = tokens.text.substr(range.begin, range.end - range.begin);
    (target ? m_target : m_source)->edit(index, QString::fromStdString(text));
}

void TokenRows::replace(bool target, int index, const QString& text)
{
    const TokenSequence& tokens = target ? m_targetTokens : m_session.document().tokens();
    const ByteRange range = editableBytes(tokens, *m_session.model().tokenizer, index);
    if (!target)
        return replaceBytes(m_session.document(), range, text);
    std::string changed = tokens.text;
    changed.replace(range.begin, range.end - range.begin, text.toStdString());
    m_session.document().setTarget(QString::fromStdString(changed));
}

} // namespace headscope::ui
