#include "ui/window/frame/inspector_frame.h"

#include "ui/widgets/labels.h"

#include <QDockWidget>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMainWindow>

namespace headscope::ui {

namespace {

constexpr int kWidth = 312;

} // namespace

InspectorFrame::InspectorFrame(QMainWindow& window, QWidget& body, QWidget& inspector,
                               QDockWidget& dock)
    : QObject(&window)
    , m_body(body)
    , m_inspector(inspector)
    , m_dock(dock)
    , m_overlay(new QWidget(&body))
{
    m_overlay->setObjectName("inspectorOverlay");
    m_overlay->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(m_overlay);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(new Hairline(Qt::Vertical, m_overlay));
    m_overlay->hide();
    auto* frame = new QWidget;
    m_docked = new QGridLayout(frame);
    m_docked->setContentsMargins(0, 0, 0, 0);
    m_docked->setSpacing(0);
    m_docked->addWidget(new Hairline(Qt::Horizontal, frame), 0, 0);
    m_docked->addWidget(&m_inspector, 1, 0);
    m_dock.setWidget(frame);
    body.installEventFilter(this);
    fitWidth();
}

void InspectorFrame::fitWidth()
{
    m_inspector.setFixedWidth(qRound(kWidth * Theme::of(m_inspector).scale()));
    placeOverlay();
}

bool InspectorFrame::isShown() const
{
    return m_narrow ? m_overlay->isVisible() : m_dock.isVisible();
}

void InspectorFrame::place(bool shown, bool narrow)
{
    if (narrow != m_narrow) {
        m_narrow = narrow;
        if (narrow)
            m_overlay->layout()->addWidget(&m_inspector);
        else
            m_docked->addWidget(&m_inspector, 1, 0);
        m_inspector.show();
    }
    m_dock.setVisible(shown && !narrow);
    m_overlay->setVisible(shown && narrow);
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
