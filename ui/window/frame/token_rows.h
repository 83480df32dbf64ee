#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QMenu;
class QToolButton;

namespace headscope::ui {

class TextLabel;
class TokenStrip;

/// Tokens of the sentence and, below them, of an encoder-decoder's target, with a menu of display
/// options at the end of the line.
class TokenRows : public QWidget
{
    Q_OBJECT

public:
    TokenRows(Session& session, QMenu& tokenMenu);

    TokenStrip& source() { return *m_source; }

    QToolButton& menuButton() { return *m_button; }

    void refreshTokens();
    void refreshTrace(); ///< Refreshes the target's tokens, which belong to the trace.
    void refreshMarks();
    void refreshStale();
    void fitHeight(); ///< Fits the height to the type size.
    void editQuery(); ///< Opens the chip of the query token for editing.
    void maskQuery(); ///< Masks the query token, or puts the word back that it hides.

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
    QWidget* m_targetRow = nullptr; ///< Hidden unless Session::readsTarget().
    TokenStrip* m_target = nullptr;
    TokenSequence m_targetTokens;
};

} // namespace headscope::ui
