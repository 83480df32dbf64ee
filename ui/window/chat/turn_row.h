#pragma once

#include "core/text/chat/chat_input.h"

#include <QWidget>

class QToolButton;

namespace headscope::ui {

class ChoiceBox;
class TurnField;

/// One turn of a chat: its role, its text, and a button that removes it.
class TurnRow : public QWidget
{
    Q_OBJECT

public:
    explicit TurnRow(QWidget* parent = nullptr);

    /// Shows the turn `number`, counted from 1. The only turn cannot be removed.
    void showTurn(const ChatTurn& turn, int number, bool isOnly);

    TurnField& field() { return *m_field; }

    void fitHeight(); ///< Fits the height to the type size.

signals:
    void roleChosen(const QString& role);
    void edited(const QString& content);
    void removed();

private:
    ChoiceBox* m_role;
    TurnField* m_field;
    QToolButton* m_remove;
};

} // namespace headscope::ui
