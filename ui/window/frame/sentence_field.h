#pragma once

#include "ui/widgets/controls/without_own_undo.h"

#include <QLineEdit>

namespace headscope::ui {

/// Input field of the sentence.
class SentenceField : public WithoutOwnUndo<QLineEdit>
{
    Q_OBJECT

public:
    SentenceField();

    /// Replaces the text and keeps the cursor position if possible.
    void showText(const QString& text);

signals:
    void left();           ///< Emitted on Escape or Return.
    void cut(int longest); ///< Emitted when a pasted text was truncated to `longest` characters.
    void shortened();      ///< Emitted when the text has room again after it was truncated.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;

private:
    void followLength(const QString& text);

    bool m_isCut = false;
};

} // namespace headscope::ui
