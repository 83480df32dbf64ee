#include "ui/window/frame/live_label.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QPainter>

namespace headscope::ui {

namespace {

constexpr double kDot = 8.0;
constexpr int kDotSpace = 16;
constexpr int kLine = 2;

} // namespace

LiveLabel::LiveLabel() : m_text(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    auto* row = rowOf(kStyleSpacing, {Placed::space(), m_text}, this);
    row->setContentsMargins(kDotSpace, 0, 0, 0);
    m_text->setForegroundRole(QPalette::WindowText); // default would be the tool bar's role
}

void LiveLabel::setState(bool live, const QString& text)
{
    m_live = live;
    m_text->setText(text);
    m_text->setToolTip(text);
    update();
}

void LiveLabel::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF dot(m_text->x() - kDotSpace, (height() - kDot) / 2.0, kDot, kDot);
    painter.setPen(m_live ? QPen(Qt::NoPen) : QPen(theme.text3, 1.5));
    painter.setBrush(m_live ? QBrush(theme.ok) : QBrush(Qt::NoBrush));
    painter.drawEllipse(m_live ? dot : dot.adjusted(1, 1, -1, -1));
}

BusyLine::BusyLine(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    parent->installEventFilter(this);
    setGeometry(0, 0, parent->width(), kLine);
    hide();
}

void BusyLine::setBusy(bool busy)
{
    setVisible(busy);
    raise();
}

bool BusyLine::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(0, 0, parentWidget()->width(), kLine);
    return QWidget::eventFilter(watched, event);
}

void BusyLine::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), Theme::of(*this).accent);
}

} // namespace headscope::ui
