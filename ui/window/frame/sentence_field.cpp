#include "ui/window/frame/sentence_field.h"

#include <QMimeData>

namespace headscope::ui {

SentenceField::SentenceField()
{
    setProperty("role", "sentence");
    setAccessibleName(tr("Sentence"));
    setPlaceholderText(tr("Type a sentence"));
    connect(this, &QLineEdit::inputRejected, this, [this] {
        m_isCut = true;
        emit cut(maxLength());
    });
    connect(this, &QLineEdit::textChanged, this, &SentenceField::followLength);
}

void SentenceField::followLength(const QString& text)
{
    if (!m_isCut || text.size() >= maxLength())
        return;
    m_isCut = false;
    emit shortened();
}

void SentenceField::showText(const QString& text)
{
    if (text == this->text())
        return;
    const bool atEnd = cursorPosition() == this->text().size();
    const int position = cursorPosition();
    setText(text); // leaves the cursor at the end
    if (!atEnd)
        setCursorPosition(std::min<int>(position, static_cast<int>(this->text().size())));
}

void SentenceField::keyPressEvent(QKeyEvent* event)
{
    WithoutOwnUndo::keyPressEvent(event);
    const int key = event->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
        emit left();
}

void SentenceField::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->ignore(); // the window handles files
    else
        QLineEdit::dragEnterEvent(event);
}

} // namespace headscope::ui
