#include "ui/window/lessons/lesson_keys.h"

#include "ui/pages/lessons/lesson_column.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/window/lessons/blank_screen.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QTextEdit>

namespace headscope::ui {

namespace {

bool isTyping(const QWidget* focus)
{
    const auto* text = qobject_cast<const QTextEdit*>(focus);
    return qobject_cast<const QLineEdit*>(focus) || (text && !text->isReadOnly());
}

bool isStart(int key)
{
    return key == Qt::Key_F5;
}

} // namespace

LessonKeys::LessonKeys(QWidget& window, const LessonRun& run, LessonColumn& column)
    : QObject(&window)
    , m_window(window)
    , m_run(run)
    , m_column(column)
{
    qApp->installEventFilter(this);
}

void LessonKeys::setPresenting(bool on)
{
    m_isPresenting = on;
    delete m_blank;
}

/// Always true for page keys; for arrows, Space and the period only where no widget handles them.
bool LessonKeys::takes(const QKeyEvent& event) const
{
    const int key = event.key();
    if (m_blank)
        return true;
    if (isStart(key))
        return event.modifiers() == Qt::NoModifier || event.modifiers() == Qt::ShiftModifier;
    if (!m_isPresenting || event.modifiers() & ~Qt::KeypadModifier)
        return false;
    if (key == Qt::Key_PageDown || key == Qt::Key_PageUp)
        return true;
    const QWidget* focus = QApplication::focusWidget();
    if (isTyping(focus))
        return false;
    if (key == Qt::Key_Period || key == Qt::Key_B)
        return true;
    const bool isFree = !focus || focus == &m_window || focus == &m_column.nextButton();
    return isFree && (key == Qt::Key_Right || key == Qt::Key_Left || key == Qt::Key_Space);
}

bool LessonKeys::use(const QKeyEvent& event)
{
    if (m_blank) {
        m_blank->close();
        return true;
    }
    switch (event.key()) {
    case Qt::Key_F5:
        emit presentingWanted();
        break;
    case Qt::Key_PageDown:
    case Qt::Key_Right:
    case Qt::Key_Space:
        m_column.goNext();
        break;
    case Qt::Key_PageUp:
    case Qt::Key_Left:
        m_column.goBack();
        break;
    default:
        m_blank = new BlankScreen(m_window);
    }
    return true;
}

/// Runs before shortcuts, as the window uses page keys for layers and F5 for training.
bool LessonKeys::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!isKey || !m_run.isOpen())
        return QObject::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != &m_window || QApplication::activePopupWidget())
        return QObject::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (!takes(*key))
        return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress)
        return use(*key);
    event->accept(); // the event returns as a key press
    return true;
}

} // namespace headscope::ui
