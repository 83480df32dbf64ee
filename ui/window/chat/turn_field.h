#pragma once

#include "ui/widgets/controls/without_own_undo.h"

#include <QPlainTextEdit>

namespace headscope::ui {

/// Input field of one turn of a chat, as tall as its text up to a few lines. Tab moves on.
class TurnField : public WithoutOwnUndo<QPlainTextEdit>
{
    Q_OBJECT

public:
    explicit TurnField(QWidget* parent = nullptr);

    /// Replaces the text and keeps the cursor position if possible.
    void showText(const QString& text);

    void setLeastHeight(int pixels) { m_leastHeight = pixels; } ///< With one line of text.

    int oneLineHeight() const; ///< Height with one line of text.

    void fitHeight(); ///< Fits the height to the text and the type size.

signals:
    void edited(const QString& text); ///< Emitted when the user has changed the text.
    void left();                      ///< Emitted on Escape.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void reportEdit();
    int frame() const; ///< Pixels above and below the text, with the border.

    QString m_text;
    int m_leastHeight = 0;
};

} // namespace headscope::ui
