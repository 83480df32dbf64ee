#pragma once

#include <QProxyStyle>

namespace headscope::ui {

/// Fusion, whose outline of a check box is darker than the window and so unseen on a dark one: here
/// it has the theme's colour of controls.
class ControlStyle : public QProxyStyle
{
    Q_OBJECT

public:
    ControlStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
};

} // namespace headscope::ui
