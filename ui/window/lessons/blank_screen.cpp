#include "ui/window/lessons/blank_screen.h"

#include <QEvent>
#include <QPainter>

namespace headscope::ui {

BlankScreen::BlankScreen(QWidget& window) : QWidget(&window)
{
    setObjectName("blankScreen");
    setAccessibleName(tr("Blank screen. Press any key to return to the lesson"));
    setAttribute(Qt::WA_DeleteOnClose);
    setCursor(Qt::BlankCursor);
    setGeometry(window.rect());
    window.installEventFilter(this);
    raise();
    show();
}

void BlankScreen::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), Qt::black); // black in every theme
}

void BlankScreen::mousePressEvent(QMouseEvent*)
{
    close();
}

bool BlankScreen::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace headscope::ui
