#include "ui/window/frame/status_line.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QPainter>

namespace headscope::ui {

namespace {

TextLabel* part(const QString& name)
{
    auto* label = new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2);
    label->setAccessibleName(name);
    return label;
}

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent)
    , m_device(part(tr("Device")))
    , m_forward(part(tr("Forward pass")))
    , m_paint(part(tr("Painting")))
    , m_hints(part(tr("Keys")))
{
    setSizeGripEnabled(false);
    setFixedHeight(28);
    auto* content = new QWidget;
    auto* row = rowOf(20, {m_device, m_forward, m_paint, {m_hints, 1}}, content);
    row->setContentsMargins(16, 0, 16, 0);
    m_hints->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_hints->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hints->installEventFilter(this);
    addPermanentWidget(content, 1);
}

void StatusLine::setDevice(const QString& text)
{
    constexpr int kWidest = 380;
    const QString name = text.section(QLatin1String(": "), 0, 0); // the tooltip gives the reason
    m_device->setText(m_device->fontMetrics().elidedText(name, Qt::ElideRight, kWidest));
    m_device->setToolTip(text);
    m_device->setAccessibleDescription(text);
}

void StatusLine::setForward(const QString& text)
{
    m_forward->setText(text);
}

void StatusLine::setPaintMs(double elapsedMs)
{
    m_paint->setText(tr("paint %1 ms").arg(number(elapsedMs, elapsedMs < 10.0 ? 1 : 0)));
}

void StatusLine::hideTimes()
{
    m_forward->hide();
    m_paint->hide();
}

void StatusLine::setHints(const QString& text)
{
    m_allHints = text;
    m_hints->setAccessibleDescription(text);
    fitHints();
}

/// What does not fit is in the tooltip.
void StatusLine::fitHints()
{
    const QString shown =
        m_hints->fontMetrics().elidedText(m_allHints, Qt::ElideRight, m_hints->width());
    m_hints->setText(shown);
    m_hints->setToolTip(shown == m_allHints ? QString() : m_allHints);
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitHints();
    return QStatusBar::eventFilter(watched, event);
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(0, 0, width(), 1, Theme::of(*this).line);
}

} // namespace headscope::ui
