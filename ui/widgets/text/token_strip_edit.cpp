// Changing one token's text where it stands.
#include "ui/widgets/text/token_strip.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui {

void TokenStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto index = chipAt(event->position());
    if (index && event->button() == Qt::LeftButton)
        emit editWanted(*index);
}

void TokenStrip::edit(int index, const QString& text)
{
    finishEditing(false);
    if (index < 0 || index >= static_cast<int>(m_chips.size()))
        return;
    ensureVisible(index);
    constexpr double kNarrowest = 96.0;
    QRectF place = chipRect(index).adjusted(-2, 0, 2, 0);
    place.setWidth(std::max(place.width(), kNarrowest * Theme::of(*this).scale()));
    place.moveRight(std::min(place.right(), width() - 1.0));
    m_edited = index;
    m_editor = new QLineEdit(text, this);
    m_editor->setAccessibleName(tr("Text of token %1").arg(index));
    m_editor->setFont(Theme::of(*this).font(TextRole::StripToken));
    m_editor->setGeometry(place.toAlignedRect());
    m_editor->selectAll();
    m_editor->installEventFilter(this);
    m_editor->show();
    m_editor->setFocus();
}

bool TokenStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_editor)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut)
        finishEditing(true);
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Escape && key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    finishEditing(key != Qt::Key_Escape);
    setFocus(); // after it: leaving the field by itself keeps the text
    return true;
}

void TokenStrip::finishEditing(bool keep)
{
    if (!m_editor)
        return;
    QLineEdit* editor = std::exchange(m_editor, nullptr);
    const int index = std::exchange(m_edited, -1);
    const bool changed = editor->isModified();
    const QString text = editor->text();
    editor->hide();
    editor->deleteLater();
    if (keep && changed)
        emit edited(index, text);
}

} // namespace headscope::ui
