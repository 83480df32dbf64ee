#pragma once

#include "ui/session/session.h"

#include <QMainWindow>

class QMenu;
class QPushButton;

namespace headscope::ui {

class ChatEditor;
class LiveLabel;
class ModelChooser;
class SentenceField;
class TextLabel;
class TokenRows;

/// Document bar at the top of the window: model, sentence or chat, second text or target, the live
/// indicator, and the tokens below.
class DocumentBar : public QObject
{
    Q_OBJECT

public:
    DocumentBar(QMainWindow& window, Session& session, QMenu& models, QMenu& tokenMenu);

    ModelChooser& chooser() { return *m_chooser; }

    /// Field of the sentence; hidden while a chat is read.
    SentenceField& sentence() { return *m_sentence; }

    /// Switch between the sentence and the chat; disabled for a model that reads no chats.
    QPushButton& chatSwitch() { return *m_chatSwitch; }

    ChatEditor& chat() { return *m_chat; } ///< Turns of the chat; hidden while none is read.

    void
    focusText(); ///< Moves to the sentence, whose text is selected, or to the chat's last turn.
    void switchChat(bool on); ///< Reads the chat, or the sentence, as an undo step.

    /// Field of the target or second text; hidden unless readsSecondText().
    SentenceField& target() { return *m_target; }

    LiveLabel& live() { return *m_live; }

    TokenRows& tokens() { return *m_tokens; }

    void fitHeight(); ///< Fits the height to the type size.
    void refreshState();

signals:
    void left(); ///< Emitted when a field gives the focus back to the page.
    void busy(bool on);
    void noteRaised(const QString& sentence);
    void warningRaised(const QString& sentence);
    void replyWanted();  ///< Emitted when the chat's reply is asked for, or to be cancelled.
    void warningEnded(); ///< Emitted when the last warning is no longer so.

private:
    void makeRow();
    void connectFields();
    void connectSession();
    void refreshText();
    void refreshChat();
    void refreshModel();
    void refreshTitle();
    void followTrace();

    QMainWindow& m_window;
    Session& m_session;
    QWidget* m_row;
    ModelChooser* m_chooser;
    QPushButton* m_chatSwitch;
    SentenceField* m_sentence;
    ChatEditor* m_chat;
    TextLabel* m_targetMark; ///< Arrow before a target, plus sign before a second text.
    SentenceField* m_target;
    LiveLabel* m_live;
    TokenRows* m_tokens;
};

} // namespace headscope::ui
