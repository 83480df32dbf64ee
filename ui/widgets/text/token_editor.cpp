#include "ui/widgets/text/token_editor.h"

#include "ui/widgets/style/theme.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui {

TokenEditor::TokenEditor(int token, const QString& text, QWidget* strip)
    : QLineEdit(text, strip)
    , m_token(token)
{
    setAccessibleName(tr("Text of token %1").arg(token));
    setFont(Theme::of(*strip).font(TextRole::StripToken));
    selectWord();
}

/// Selects the token without the space before it, so that typing replaces the word only.
void TokenEditor::selectWord()
{
    const QString token = text();
    const auto isSpace = [](QChar letter) { return letter.isSpace(); };
    const auto first = std::find_if_not(token.begin(), token.end(), isSpace) - token.begin();
    if (first == token.size())
        selectAll();
    else
        setSelection(static_cast<int>(first), static_cast<int>(token.size() - first));
}

void TokenEditor::finish(bool keep)
{
    if (std::exchange(m_isFinished, true))
        return;
    const bool changed = isModified();
    const QString typed = text();
    hide();
    deleteLater();
    if (keep && changed)
        emit edited(m_token, typed);
}

void TokenEditor::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (key != Qt::Key_Escape && key != Qt::Key_Return && key != Qt::Key_Enter)
        return QLineEdit::keyPressEvent(event);
    finish(key != Qt::Key_Escape);
    parentWidget()->setFocus(); // last, as losing the focus keeps the text
}

void TokenEditor::focusOutEvent(QFocusEvent* event)
{
    finish(true);
    QLineEdit::focusOutEvent(event);
}

} // namespace headscope::ui
