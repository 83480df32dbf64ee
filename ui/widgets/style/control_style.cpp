#include "ui/widgets/style/control_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace headscope::ui {

ControlStyle::ControlStyle() : QProxyStyle(QStyleFactory::create("Fusion")) {}

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                 QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox || option->state & State_HasFocus)
        return;
    painter->save();
    painter->translate(0.5, 0.5);
    painter->setPen(option->palette.color(QPalette::Dark)); // Theme::control
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1)); // as Fusion does
    painter->restore();
}

} // namespace headscope::ui
