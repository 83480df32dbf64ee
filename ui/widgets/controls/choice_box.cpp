#include "ui/widgets/controls/choice_box.h"

#include "ui/widgets/style/theme.h"

#include <QPainter>

namespace headscope::ui {

void ChoiceBox::setPurpose(const QString& name)
{
    setAccessibleName(name);
    setAccessibleDescription(name);
}

void ChoiceBox::paintEvent(QPaintEvent* event)
{
    QComboBox::paintEvent(event);
    const Theme theme = Theme::of(*this);
    const QPointF tip(width() - 16.0, height() / 2.0 + 2.0);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isEnabled() ? theme.text2 : theme.text3, 1.5, Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    const QPointF chevron[] = {tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)};
    painter.drawPolyline(chevron, 3);
}

} // namespace headscope::ui
