#pragma once

#include "ui/session/chat/chat_reply.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QPushButton;
class QScrollArea;

namespace headscope::ui {

class TurnRow;

/// The turns of the session's chat, in place of the sentence field: each with its role, and below
/// them what adds a turn or writes the model's reply.
class ChatEditor : public QWidget
{
    Q_OBJECT

public:
    explicit ChatEditor(Session& session);

    void addTurn(); ///< Adds a turn of the role that speaks next, and moves to its field.

    /// Writes the model's reply, or cancels the one that is being written.
    void writeReply(const GenerationSettings& settings);
    void focusLast(); ///< Moves to the last turn's field.
    void fitHeight(); ///< Fits the height to the turns and the type size.

signals:
    void left();        ///< Emitted when a field gives the focus back to the page.
    void replyWanted(); ///< Emitted when the user asks for a reply or cancels it.
    void noteRaised(const QString& sentence);
    void heightChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeFooter();
    TurnRow* makeRow();
    void dropLastRow();
    void change(const std::function<void(ChatInput&)>& edit, const QString& name);
    int indexOf(const TurnRow* row) const;
    void refresh();
    void refreshReply();

    Session& m_session;
    QScrollArea* m_scroll;
    bool m_showsEnd = false; ///< True from a new turn on until the user types.
    QWidget* m_turns;
    std::vector<TurnRow*> m_rows;
    QPushButton* m_add;
    QCheckBox* m_prompt;
    QPushButton* m_reply;
    QWidget* m_footer;
    ChatReply m_writer;
};

} // namespace headscope::ui
