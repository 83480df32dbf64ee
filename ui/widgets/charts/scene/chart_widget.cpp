#include "ui/widgets/charts/scene/chart_widget.h"

#include "ui/widgets/charts/scene/chart_scene.h"

#include <QPainter>

namespace headscope::ui {

ChartWidget::ChartWidget(const QString& accessibleName, QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(accessibleName);
    makeReadable(*this, [this] { return readable(); });
}

ChartWidget::~ChartWidget() = default;

QRectF ChartWidget::area() const
{
    return QRectF(rect()).adjusted(2, 2, -2, -2);
}

void ChartWidget::readoutChanged()
{
    update();
    const QString text = description();
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    if (hasFocus())
        announceCurrent(*this);
}

void ChartWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    if (!m_scene)
        m_scene = std::make_unique<ChartScene>();
    m_scene->show(plotOf(area().size(), theme));
    m_scene->paint(painter, area());
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

} // namespace headscope::ui
