#include "ui/window/frame/icons.h"

#include <QPainter>
#include <QSvgRenderer>

namespace headscope::ui {

namespace {

/// Paths in a box of 20; "@" stands for the colour.
const char* pathsOf(IconName name)
{
    switch (name) {
    case IconName::Origin:
        return "<circle cx='10' cy='4' r='2' fill='@'/><circle cx='4.5' cy='15.5' r='2'/>"
               "<circle cx='15.5' cy='15.5' r='2'/><path d='M9 6l-3.6 7.6M11 6l3.6 7.6'/>";
    case IconName::Overview:
        return "<rect x='2.75' y='2.75' width='5.5' height='5.5' rx='1'/>"
               "<rect x='11.75' y='2.75' width='5.5' height='5.5' rx='1'/>"
               "<rect x='2.75' y='11.75' width='5.5' height='5.5' rx='1'/>"
               "<rect x='11.75' y='11.75' width='5.5' height='5.5' rx='1' fill='@'/>";
    case IconName::Head:
        return "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1.5'/>"
               "<path d='M7.6 2.75v14.5M12.4 2.75v14.5M2.75 7.6h14.5M2.75 12.4h14.5'/>"
               "<rect x='7.6' y='7.6' width='4.8' height='4.8' fill='@'/>";
    case IconName::Heads:
        return "<circle cx='8.5' cy='8.5' r='5.75'/><path d='M12.8 12.8l4.4 4.4'/>"
               "<path d='M5.9 8.5h5.2M8.5 5.9v5.2'/>";
    case IconName::Arcs:
        return "<path d='M3 5c7 0 7 10 14 10M3 15c7 0 7 -10 14 -10M3 5h2M3 15h2M15 5h2M15 15h2'/>";
    case IconName::WhatIf:
        return "<path d='M10 2.5v15M2.5 6.5h5M2.5 13.5h5M12.5 13.5h5M12.5 6.5h5M15 4v5'/>";
    case IconName::Compare:
        return "<rect x='2.5' y='3' width='6' height='14' rx='1'/>"
               "<rect x='11.5' y='3' width='6' height='14' rx='1' fill='@'/>";
    case IconName::Positions:
        return "<path d='M2 10c2.6 -8.6 5.4 -8.6 8 0s5.4 8.6 8 0'/>";
    case IconName::Architecture:
        return "<path d='M5.5 2v16M5.5 5h4M5.5 14h4'/>"
               "<rect x='9.5' y='2.75' width='8' height='5' rx='1'/>"
               "<rect x='9.5' y='11.5' width='8' height='5' rx='1' fill='@'/>";
    case IconName::NextToken:
        return "<path d='M2.5 5h11M2.5 10h6.5M2.5 15h3.5'/>"
               "<path d='M12.5 11l5 3.2 -5 3.2z' fill='@'/>";
    case IconName::Mask:
        return "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1'/>"
               "<path d='M3 3l14 14v-14z' fill='@'/>";
    case IconName::QueryKey:
        return "<rect x='2.75' y='2.75' width='14.5' height='4' rx='1'/>"
               "<rect x='2.75' y='13.25' width='14.5' height='4' rx='1' fill='@'/>"
               "<path d='M10 8.5v3M8.5 10h3'/>";
    case IconName::Distance:
        return "<path d='M3 3v14h14'/><path d='M6 5c1 6 4 8.5 11 9'/>";
    case IconName::Flow:
        return "<path d='M4.5 4.5L10 10L15.5 4.5M4.5 15.5L10 10M10 10h5.5'/>"
               "<circle cx='4' cy='4' r='1.75'/><circle cx='4' cy='16' r='1.75'/>"
               "<circle cx='16' cy='10' r='1.75' fill='@'/><circle cx='16' cy='4' r='1.75'/>";
    case IconName::Lens:
        return "<path d='M2.75 15.5h3.5M8.25 15.5h3.5M13.75 15.5h3.5M2.75 12h3.5M8.25 12h3.5'/>"
               "<circle cx='11.5' cy='6' r='3.75'/><path d='M14.3 8.8l2.9 2.9'/>";
    case IconName::Attribution:
        return "<path d='M10 2.5v15'/><rect x='10' y='3.75' width='6.5' height='3' fill='@'/>"
               "<rect x='5.5' y='8.5' width='4.5' height='3'/>"
               "<rect x='10' y='13.25' width='3.5' height='3' fill='@'/>";
    case IconName::Cross:
        return "<path d='M2.75 4h5M12.25 4h5M2.75 16h5M12.25 16h5M5 6.5C5 11 15 9 15 13.5"
               "M15 6.5C15 11 5 9 5 13.5'/>";
    case IconName::Causal:
        return "<path d='M5.5 10h5M10.5 10L8.5 8M10.5 10L8.5 12M12 5l5 5-5 5'/>"
               "<circle cx='4' cy='10' r='1.75' fill='@'/>"
               "<path d='M14.5 14.5l3 3M17.5 14.5l-3 3'/>";
    case IconName::Train:
        return "<path d='M3 3v14h14'/><path d='M5.5 5.5c1 5 2.5 6.5 5 7s4 .8 6.5 .8'/>"
               "<circle cx='16.5' cy='13.3' r='1.5' fill='@'/>";
    case IconName::NewRun:
        return "<path d='M3 3v14h14M11.5 4v8M7.5 8h8'/>";
    case IconName::Experiments:
        return "<path d='M7.5 3h5M8.5 3v5L3.8 15.6A1 1 0 0 0 4.6 17h10.8a1 1 0 0 0 .8-1.4L11.5 "
               "8V3'/>"
               "<circle cx='10' cy='13.2' r='1.6' fill='@'/>";
    case IconName::Lab:
        return "<path d='M3 5.5h14M3 10h14M3 14.5h14'/><circle cx='7' cy='5.5' r='2' fill='@'/>"
               "<circle cx='13' cy='10' r='2' fill='@'/><circle cx='8.5' cy='14.5' r='2' "
               "fill='@'/>";
    case IconName::Runs:
        return "<path d='M3 3v14h14'/><path d='M5.5 5c1.5 5 4 7 10.5 7.5'/>"
               "<path d='M5.5 9c2 3.5 4.5 5 10.5 5.5'/>";
    case IconName::Lessons:
        return "<path d='M10 5v12M10 5C8 3.6 5.5 3.2 2.5 3.5v12c3 -.3 5.5 .1 7.5 1.5"
               "M10 5c2 -1.4 4.5 -1.8 7.5 -1.5v12c-3 -.3 -5.5 .1 -7.5 1.5'/>";
    case IconName::OwnLesson:
        return "<path d='M4 17.2l1 -4L14 4.2l3 3L8 16.2zM12 6.2l3 3'/>";
    case IconName::Example:
        return "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1'/>"
               "<path d='M10 3v14M3 10h14'/><rect x='10' y='10' width='7.25' height='7.25' "
               "fill='@'/>";
    case IconName::ChevronDown:
        return "<path d='M5.5 8l4.5 4.5L14.5 8'/>";
    }
    return "";
}

} // namespace

QPixmap iconPixmap(IconName name, const QColor& colour, int side, double pixelRatio)
{
    QString svg = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'>"
                                 "<g fill='none' stroke='@' stroke-width='1.5' "
                                 "stroke-linecap='round' stroke-linejoin='round'>%1</g></svg>")
                      .arg(QLatin1String(pathsOf(name)));
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
