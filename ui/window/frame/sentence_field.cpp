#include "ui/window/frame/sentence_field.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>

#include <memory>

namespace headscope::ui {

namespace {

bool isUndoKey(const QKeyEvent& event)
{
    return event.matches(QKeySequence::Undo) || event.matches(QKeySequence::Redo);
}

} // namespace

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

bool SentenceField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isUndoKey(*static_cast<QKeyEvent*>(event))) {
        event->ignore();
        return false;
    }
    return QLineEdit::event(event);
}

void SentenceField::keyPressEvent(QKeyEvent* event)
{
    if (isUndoKey(*event)) {
        event->ignore();
        return;
    }
    QLineEdit::keyPressEvent(event);
    const int key = event->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
        emit left();
}

void SentenceField::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu());
    const QList<QAction*> actions = menu->actions();
    // undo, redo and their separator belong to the session
    for (QAction* action : actions.mid(0, 3))
        menu->removeAction(action);
    menu->exec(event->globalPos());
}

void SentenceField::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->ignore(); // the window handles files
    else
        QLineEdit::dragEnterEvent(event);
}

} // namespace headscope::ui
