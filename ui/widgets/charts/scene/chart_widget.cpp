#include "ui/widgets/charts/scene/chart_widget.h"

#include "ui/widgets/charts/scene/chart_scene.h"
#include "ui/widgets/style/focus_frame.h"

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
    paintFocusFrame(painter, *this);
}

} // namespace headscope::ui
