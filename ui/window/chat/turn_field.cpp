#include "ui/window/chat/turn_field.h"

#include <QtMath>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kMostLines = 4;
constexpr int kLeastFrame = 5; ///< Above and below the text, with the border.

} // namespace

TurnField::TurnField(QWidget* parent) : WithoutOwnUndo(parent)
{
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QPlainTextEdit::textChanged, this, &TurnField::reportEdit);
    fitHeight();
}

void TurnField::showText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    const bool atEnd = textCursor().atEnd();
    const int position = textCursor().position();
    setPlainText(text);
    QTextCursor cursor = textCursor();
    if (atEnd)
        cursor.movePosition(QTextCursor::End);
    else
        cursor.setPosition(std::min(position, std::max(document()->characterCount() - 1, 0)));
    setTextCursor(cursor);
    fitHeight();
}

/// A field that composes text has it in its layout only.
void TurnField::reportEdit()
{
    fitHeight();
    const QString text = toPlainText();
    if (text == m_text)
        return;
    m_text = text;
    emit edited(text);
}

int TurnField::frame() const
{
    const int line = qCeil(QFontMetricsF(font()).lineSpacing());
    return std::max(kLeastFrame, (m_leastHeight - line) / 2);
}

int TurnField::oneLineHeight() const
{
    const int line = qCeil(QFontMetricsF(font()).lineSpacing());
    return std::max(m_leastHeight, line + 2 * frame());
}

void TurnField::fitHeight()
{
    const double lines = std::clamp(document()->size().height(), 1.0, double{kMostLines});
    const double line = QFontMetricsF(font()).lineSpacing();
    if (document()->documentMargin() != frame() - 1)
        document()->setDocumentMargin(frame() - 1);
    const int height = std::max(oneLineHeight(), qCeil(lines * line) + 2 * frame());
    setVerticalScrollBarPolicy(document()->size().height() > kMostLines ? Qt::ScrollBarAsNeeded
                                                                        : Qt::ScrollBarAlwaysOff);
    if (height != minimumHeight())
        setFixedHeight(height);
}

void TurnField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit left();
    else
        WithoutOwnUndo::keyPressEvent(event);
}

void TurnField::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    fitHeight();
}

} // namespace headscope::ui
