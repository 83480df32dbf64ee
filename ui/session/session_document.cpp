#include "ui/session/session_document.h"

#include "core/model/pass/input_tokens.h"
#include "ui/session/changes/undo_commands.h"
#include "ui/session/chat/chat_command.h"
#include "ui/session/open_models.h"
#include "ui/session/samples.h"

#include <utility>

namespace headscope::ui {

namespace {

/// Length above which the worker tokenizes the text, so that a key press never waits.
constexpr qsizetype kTokenizeAtOnce = 8192;

bool hasWeights(const ModelConfig& config, const WeightEdit& edit)
{
    try {
        checkWeightEdit(config, edit);
        return true;
    } catch (const ShapeError&) {
        return false;
    }
}

} // namespace

SessionDocument::SessionDocument(const OpenModels& models, ViewState& view)
    : m_models(models)
    , m_view(view)
{
}

void SessionDocument::setText(const QString& text)
{
    replaceSentence(text, true);
}

void SessionDocument::replaceText(const QString& text)
{
    replaceSentence(text, false);
}

void SessionDocument::replaceSentence(const QString& text, bool isTyping)
{
    if (m_models.isCaptured() || (text == m_sentence && !readsChat()))
        return;
    const auto kind = isTyping ? TextCommand::Kind::Typing : TextCommand::Kind::Replacement;
    auto command = std::make_unique<TextCommand>(*this, text, kind);
    if (!readsChat())
        return m_undo.push(command.release());
    m_undo.beginMacro(command->text());
    Chat chat = m_chat;
    chat.isOn = false;
    m_undo.push(new ChatCommand(*this, chat, {}));
    m_undo.push(command.release());
    m_undo.endMacro();
}

void SessionDocument::applyText(const QString& text)
{
    m_sentence = text;
    tokenize();
    emit edited();
}

void SessionDocument::setChat(const Chat& chat, const QString& name)
{
    if (chat != m_chat && !m_models.isCaptured())
        m_undo.push(new ChatCommand(*this, chat, name));
}

void SessionDocument::setTurnContent(int turn, const QString& content)
{
    const std::vector<ChatTurn>& turns = m_chat.input.turns;
    if (m_models.isCaptured() || turn < 0 || turn >= std::ssize(turns) ||
        turns[static_cast<std::size_t>(turn)].content == content.toStdString())
        return;
    m_undo.push(ChatCommand::typing(*this, turn, content.toStdString()).release());
}

void SessionDocument::writeReply(const Chat& chat, int reply)
{
    if (chat != m_chat && !m_models.isCaptured())
        m_undo.push(ChatCommand::reply(*this, chat, reply).release());
}

void SessionDocument::applyChat(const Chat& chat)
{
    const bool wasRead = readsChat();
    m_chat = chat;
    if (readsChat() && !wasRead)
        m_rendered = m_sentence; // until the first rendering
    if (readsChat() || wasRead)
        tokenize();
    emit edited();
}

void SessionDocument::takeTokens(const TokenSequence& tokens)
{
    m_tokens = tokens;
    if (readsChat())
        m_rendered = QString::fromStdString(tokens.text);
}

void SessionDocument::setTarget(const QString& target)
{
    if (target != m_target && !m_models.isCaptured())
        m_undo.push(new TargetCommand(*this, target));
}

void SessionDocument::applyTarget(const QString& target)
{
    m_target = target;
    if (readsPairs(m_models))
        tokenize();
    emit edited();
}

void SessionDocument::setChanges(const Changes& changes, const QString& name)
{
    if (changes != m_changes && !m_models.isCaptured())
        m_undo.push(new ChangesCommand(*this, m_view, changes, name));
}

void SessionDocument::setMask(const MaskChange& mask)
{
    Changes changes = m_changes;
    changes.mask = mask;
    setChanges(changes, tr("mask: %1").arg(mask.describe()));
}

void SessionDocument::setHeadOff(const HeadId& head, bool off, HeadOff::Method method)
{
    Changes changes = m_changes;
    std::erase_if(changes.headsOff, [&head](const HeadOff& other) { return other.head == head; });
    if (off)
        changes.headsOff.push_back({head, method});
    const QString name = off ? tr("ablate head %1") : tr("restore head %1");
    setChanges(changes, name.arg(headName(head)));
}

void SessionDocument::removeChange(int index)
{
    const std::vector<ChangeText> words = m_changes.texts();
    if (index < 0 || index >= static_cast<int>(words.size()))
        return;
    const ChangeText& change = words[static_cast<std::size_t>(index)];
    setChanges(m_changes.without(index), tr("remove %1 %2").arg(change.what, change.scope));
}

void SessionDocument::toggleChange(int index)
{
    const std::vector<ChangeText> words = m_changes.texts();
    if (index < 0 || index >= static_cast<int>(words.size()))
        return;
    const ChangeText& change = words[static_cast<std::size_t>(index)];
    setChanges(
        m_changes.toggled(index),
        (change.aside ? tr("enable %1 %2") : tr("disable %1 %2")).arg(change.what, change.scope));
}

void SessionDocument::clearChanges()
{
    setChanges({}, tr("reset B"));
}

/// Changes that fit the model. Undone and stored changes may come from another one.
Changes SessionDocument::fitting(Changes changes) const
{
    if (!m_models.model().model)
        return changes;
    const ModelConfig& config = changes.model.isEmpty() ? m_models.model().model->config()
                                                        : m_models.second().model->config();
    const bool twoStacks = config.isEncoderDecoder();
    const auto fits = [&](const HeadId& head) {
        const std::int64_t layers =
            stackOf(head.attention) == Stack::Decoder ? config.decoderLayerCount() : config.layers;
        return head.layer < layers && head.head < config.heads &&
               twoStacks == (head.attention != AttentionKind::Self);
    };
    const auto fitsKey = [&](const TraceKey& key) {
        return fits({selfAttentionOf(key.stack), key.layer, 0});
    };
    std::erase_if(changes.headsOff, [&](const HeadOff& off) { return !fits(off.head); });
    std::erase_if(changes.weights,
                  [&](const WeightEdit& edit) { return !hasWeights(config, edit); });
    std::erase_if(changes.edits, [&](const PatternEdit& edit) {
        return !fits({attentionOf(edit.key), edit.key.layer, edit.head});
    });
    std::erase_if(changes.patches, [&](const CellPatch& patch) { return !fitsKey(patch.key); });
    std::erase_if(changes.freezes,
                  [&](const Freeze& freeze) { return freeze.head && !fits(*freeze.head); });
    for (Changes& one : changes.aside)
        if (one.model.isEmpty()) // another model has its own layers and heads
            one = fitting(std::move(one));
    std::erase(changes.aside, Changes());
    return changes;
}

void SessionDocument::applyChanges(const Changes& changes)
{
    m_changes = fitting(changes);
    emit changesReplaced();
}

void SessionDocument::tokenize()
{
    const bool isLong = m_sentence.size() + m_target.size() > kTokenizeAtOnce;
    m_isTokenizedInWorker = readsChat() || isLong;
    if (readsChat())
        return; // those of the last rendering stay
    if (!m_models.model().model || isLong)
        m_tokens = {};
    else
        m_tokens = inputTokens(m_models.model(), m_sentence.toStdString(), m_target.toStdString());
}

RunText SessionDocument::runText() const
{
    RunText text;
    if (readsChat()) {
        text.chat = m_chat.input;
        return text;
    }
    text.text = m_sentence.toStdString();
    if (!m_isTokenizedInWorker)
        text.tokens = m_tokens;
    text.target = m_target.toStdString();
    return text;
}

/// Keeps what the last model with a second text does with it; returns true if that was something
/// else. A model without a second text keeps it for the next one.
bool SessionDocument::takeRole()
{
    const SecondTextRole role = secondTextRole(m_models);
    if (role == SecondTextRole::None)
        return false;
    const SecondTextRole last = std::exchange(m_secondTextRole, role);
    return last != SecondTextRole::None && last != role;
}

bool SessionDocument::adoptModel()
{
    m_changes = fitting(m_changes);
    const QString sample = sampleSentence(QString::fromStdString(m_models.model().name));
    const bool takesSample = m_sentence != sample && isSampleSentence(m_sentence);
    if (takesSample) {
        m_sentence = sample;
        m_target.clear(); // it went with the text that is gone
    }
    m_canChat = whyNoChat(m_models).isEmpty();
    m_tokens = {}; // of another vocabulary
    m_rendered = m_sentence;
    const bool dropsTarget = takeRole() && !m_target.isEmpty();
    if (dropsTarget)
        m_target.clear();
    tokenize();
    return takesSample || dropsTarget;
}

void SessionDocument::adoptTrace(const Trace& trace)
{
    m_undo.clear(); // its entries need the previous model
    m_changes = {};
    const bool twoTexts = m_models.readsTarget();
    m_tokens = twoTexts ? trace.sourceTokens() : trace.tokens();
    m_isTokenizedInWorker = false;
    m_canChat = false;
    m_sentence = QString::fromStdString(m_tokens.text);
    m_target = twoTexts ? QString::fromStdString(trace.tokens().text) : QString();
    takeRole();
}

} // namespace headscope::ui
