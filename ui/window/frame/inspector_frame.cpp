#include "ui/window/frame/inspector_frame.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"
#include "ui/window/frame/fixed_parts.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>

namespace headscope::ui {

namespace {

constexpr int kWidth = 312;

} // namespace

InspectorFrame::InspectorFrame(QMainWindow& window, QWidget& body, QWidget& inspector,
                               QAction& request)
    : QObject(&window)
    , m_body(body)
    , m_inspector(inspector)
    , m_requestId(request)
    , m_overlay(new QWidget(&body))
    , m_dock(addFixedDock(window, "inspector", tr("Inspector"), Qt::RightDockWidgetArea, inspector))
{
    m_overlay->setObjectName("inspectorOverlay");
    m_overlay->setAutoFillBackground(true);
    rowOf(0, {new Hairline(Qt::Vertical, m_overlay)}, m_overlay);
    m_overlay->hide();
    body.installEventFilter(this);
    m_requestId.setChecked(true);
    fitWidth();
}

void InspectorFrame::fitWidth()
{
    m_inspector.setFixedWidth(qRound(kWidth * Theme::of(m_inspector).scale()));
    placeOverlay();
}

bool InspectorFrame::isShown() const
{
    return m_narrow ? m_overlay->isVisible() : m_dock->isVisible();
}

void InspectorFrame::setAllowed(bool allowed)
{
    m_allowed = allowed;
    place();
}

void InspectorFrame::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    if (narrow)
        m_preferredWide = m_requestId.isChecked();
    m_requestId.setChecked(!narrow && m_preferredWide);
    QWidget& holder = narrow ? *m_overlay : *m_dock->widget();
    holder.layout()->addWidget(&m_inspector);
    m_inspector.show();
    place();
}

void InspectorFrame::reset()
{
    m_preferredWide = true;
    m_requestId.setChecked(true);
    place();
}

bool InspectorFrame::dismiss()
{
    if (!m_narrow || !isShown())
        return false;
    m_requestId.trigger();
    return true;
}

void InspectorFrame::place()
{
    const bool shown = m_allowed && m_requestId.isChecked();
    m_dock->setVisible(shown && !m_narrow);
    m_overlay->setVisible(shown && m_narrow);
    placeOverlay();
}

void InspectorFrame::placeOverlay()
{
    if (!m_narrow)
        return;
    const int width = m_inspector.maximumWidth() + 1;
    m_overlay->setGeometry(m_body.width() - width, 0, width, m_body.height());
    m_overlay->raise();
}

bool InspectorFrame::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        placeOverlay();
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
