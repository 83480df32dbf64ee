#include "ui/pages/shared/inline_editor.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QApplication>
#include <QCheckBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace headscope::ui {

InlineEditor::InlineEditor(QWidget* page)
    : QFrame(page)
    , m_title(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text, this))
    , m_field(new QLineEdit(this))
    , m_message(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2, this))
    , m_check(new QCheckBox(this))
{
    m_message->setObjectName("message");
    m_title->setStrong(true);
    auto* column = columnOf(8, {m_title, m_field, m_message, m_check}, this);
    column->setContentsMargins(12, 12, 12, 12);
    setMinimumWidth(240);
    m_field->installEventFilter(this);
    m_check->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &InlineEditor::describe);
    connect(m_field, &QLineEdit::returnPressed, this, &InlineEditor::accept);
    hide();
}

void InlineEditor::open(Request request, QPoint place)
{
    m_request = std::move(request);
    m_before = QApplication::focusWidget();
    m_title->setText(m_request.title);
    m_field->setAccessibleName(m_request.title);
    m_field->setText(m_request.text);
    m_check->setText(m_request.checkText);
    m_check->setVisible(!m_request.checkText.isEmpty());
    m_check->setChecked(true);
    describe();
    adjustSize();
    const QRect room = parentWidget()->rect().adjusted(8, 8, -8, -8);
    move(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
    m_field->selectAll();
}

bool InlineEditor::close()
{
    if (isHidden())
        return false;
    hide();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    m_before = nullptr;
    return true;
}

void InlineEditor::describe()
{
    if (!m_request.read)
        return;
    const auto meaning = m_request.read(m_field->text());
    m_message->setTone(meaning ? TextLabel::Tone::Text2 : TextLabel::Tone::Error);
    const bool isOwn = !meaning && m_request.why;
    m_message->setText(isOwn ? m_request.why(m_field->text()) : meaning.value_or(m_request.hint));
    m_field->setAccessibleDescription(m_message->text());
    adjustSize();
}

void InlineEditor::accept()
{
    if (!m_request.read(m_field->text()))
        return;
    const Request request = m_request;
    close();
    request.apply(m_field->text(), m_check->isChecked());
}

bool InlineEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape)
            return close();
        const bool takes = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (takes && watched == m_check) {
            accept();
            return true;
        }
    }
    const bool leaves = event->type() == QEvent::FocusOut &&
                        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
                        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason;
    if (leaves && isVisible())
        QMetaObject::invokeMethod(
            this,
            [this] {
                const QWidget* now = QApplication::focusWidget();
                if (!now || !isAncestorOf(now)) {
                    m_before = nullptr; // The focus is elsewhere already.
                    close();
                }
            },
            Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

void InlineEditor::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.surface);
    painter.setPen(QPen(theme.accent, 1.0));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace headscope::ui
