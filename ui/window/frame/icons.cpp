#include "ui/window/frame/icons.h"

#include <QPainter>
#include <QSvgRenderer>

namespace headscope::ui {

QPixmap iconPixmap(const QString& elements, const QColor& colour, int side, double pixelRatio)
{
    QString svg = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'>"
                                 "<g fill='none' stroke='@' stroke-width='1.5' "
                                 "stroke-linecap='round' stroke-linejoin='round'>%1</g></svg>")
                      .arg(elements);
    svg.replace(QLatin1Char('@'), colour.name());
    QSvgRenderer renderer(svg.toUtf8());
    const int pixels = qRound(side * pixelRatio);
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(pixelRatio);
    return pixmap;
}

} // namespace headscope::ui
