#include "ui/pages/positions/relative_plot.h"

#include "ui/pages/positions/positions_relative_paint.h"
#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace headscope::ui {

RelativePlot::RelativePlot(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(480, 380);
    setAccessibleName(tr("Effect of positions on scores"));
    makeReadable(*this, QAccessible::Chart);
}

void RelativePlot::setContent(RelativeContent content)
{
    m_content = std::move(content);
    setAccessibleDescription(relativeText(m_content));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    update();
}

void RelativePlot::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintRelative(painter, rect(), m_content, theme);
}

void RelativePlot::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0)
        return QWidget::keyPressEvent(event);
    const bool both = event->modifiers() == Qt::ShiftModifier;
    emit stepped(both ? 0 : step, both ? step : 0);
}

} // namespace headscope::ui
