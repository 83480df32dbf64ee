#pragma once

#include "ui/session/changes/changes.h"
#include "ui/session/chat/chat.h"
#include "ui/session/second_text.h"

#include <QObject>
#include <QUndoStack>

namespace headscope::ui {

class OpenModels;
class ViewState;

/// The text or chat that the model reads, and the changes that make B. All can be undone, and are
/// read-only for a captured trace.
class SessionDocument : public QObject
{
    Q_OBJECT

public:
    /// Restores in `view` the variant that was shown when changes are undone or redone.
    SessionDocument(const OpenModels& models, ViewState& view);

    /// Text that the model reads: the sentence, or the chat as last rendered by its template.
    const QString& text() const { return readsChat() ? m_rendered : m_sentence; }

    const QString& sentence() const { return m_sentence; } ///< Also while a chat is read.

    const Chat& chat() const { return m_chat; }

    /// True while the model reads chat() in place of the sentence. Its tokens come with the trace.
    bool readsChat() const { return m_chat.isOn && m_canChat; }

    void setChat(const Chat& chat, const QString& name);   ///< Sets the chat as one undo step.
    void setTurnContent(int turn, const QString& content); ///< As typing, like setText().

    /// Writes the reply number `reply` as one undo step, which later calls with the number extend.
    void writeReply(const Chat& chat, int reply);

    /// Sets the sentence as typing: characters typed without a pause are one undo step. The model
    /// reads it in place of a chat.
    void setText(const QString& text);
    void replaceText(const QString& text); ///< Replaces the sentence as an undo step of its own.

    const QString& target() const { return m_target; } ///< Target of an encoder-decoder.

    void setTarget(const QString& target); ///< Sets the target as typing, like setText().

    const Changes& changes() const { return m_changes; }

    /// Sets the changes as one undo step.
    void setChanges(const Changes& changes, const QString& name);
    void setMask(const MaskChange& mask);
    void setHeadOff(const HeadId& head, bool off, HeadOff::Method method = HeadOff::Method::Zero);

    void setHeadOff(int layer, int head, bool off) { setHeadOff({layer, head}, off); }

    void removeChange(int index); ///< Removes the change at an index of Changes::words().
    void toggleChange(int index); ///< Disables or enables a change.
    void clearChanges();

    QUndoStack& undoStack() { return m_undo; }

    /// Tokens of text(), available at once; those of a long text arrive with its trace.
    const TokenSequence& tokens() const { return m_tokens; }

    /// True for a long text and for a chat.
    bool isTokenizedInWorker() const { return m_isTokenizedInWorker; }

    RunText runText() const;

signals:
    void edited(); ///< Emitted when text(), target() or chat() have changed, with their tokens.
    void changesReplaced(); ///< Emitted for the session, which informs everyone else.

private:
    friend class Session; // Session emits its signals once all parts are consistent.
    friend class TextCommand;
    friend class TargetCommand;
    friend class ChatCommand;
    friend class ChangesCommand;

    bool adoptModel(); ///< Adapts to a new model; false: the text is unchanged.
    void adoptTrace(const Trace& trace);

    void takeTokens(const TokenSequence& tokens);
    void replaceSentence(const QString& text, bool isTyping);
    void applyChat(const Chat& chat);
    void applyText(const QString& text);
    void applyTarget(const QString& target);
    void applyChanges(const Changes& changes);
    Changes fitting(Changes changes) const;
    bool takeRole();
    void tokenize();

    const OpenModels& m_models;
    ViewState& m_view;
    QUndoStack m_undo;
    QString m_sentence;
    QString m_target;
    Chat m_chat;
    bool m_canChat = false; ///< The model reads chats.
    QString m_rendered;     ///< The chat as last rendered.
    SecondTextRole m_secondTextRole = SecondTextRole::None;
    TokenSequence m_tokens;
    bool m_isTokenizedInWorker = false;
    Changes m_changes;
};

} // namespace headscope::ui
