#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QMenu;
class QToolButton;

namespace headscope::ui {

class TextLabel;
class TokenStrip;

/// The tokens of the sentence and, below them, those that an encoder-decoder answers with; at the
/// end of the line a menu of how tokens are shown.
class TokenRows : public QWidget
{
    Q_OBJECT

public:
    TokenRows(Session& session, QMenu& tokenMenu, QWidget* parent = nullptr);

    TokenStrip& source() { return *m_source; }

    TokenStrip& target() { return *m_target; } ///< hidden unless Session::readsTarget()

    QToolButton& menuButton() { return *m_button; }

    void refreshTokens();
    void refreshTrace(); ///< the target's tokens come with the trace
    void refreshMarks();
    void refreshStale();
    void fitHeight(); ///< to the type size
    void editQuery(); ///< opens the chip of the query token

signals:
    void messageWanted(const QString& sentence);

private:
    void makeRows(QMenu& tokenMenu);
    void refreshDisplay();
    void chooseInSource(int index, bool asKey);
    void chooseInTarget(int index, bool asKey);
    void edit(bool target, int index);
    void replace(bool target, int index, const QString& text);
    bool isMarkedInTarget(bool key) const;

    Session& m_session;
    TextLabel* m_sourceTitle = nullptr;
    TokenStrip* m_source = nullptr;
    QToolButton* m_button = nullptr;
    QWidget* m_sourceRow = nullptr;
    QWidget* m_targetRow = nullptr;
    TokenStrip* m_target = nullptr;
    TokenSequence m_targetTokens;
};

/// The bytes of the character, or of the token, that a chip stands for: joined pieces go together,
/// and the range never cuts a UTF-8 character. Empty for a token that is not in the text.
ByteRange editableBytes(const TokenSequence& tokens, const Tokenizer& tokenizer, int index);

} // namespace headscope::ui
