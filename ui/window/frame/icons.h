#pragma once

#include <QColor>
#include <QPixmap>

namespace headscope::ui {

enum class IconName {
    Origin,
    Overview,
    Head,
    Heads,
    Arcs,
    WhatIf,
    Compare,
    Positions,
    Architecture,
    NextToken,
    Mask,
    QueryKey,
    Distance,
    Flow,
    Lens,
    Attribution,
    Cross,
    Causal,
    Train,
    NewRun,
    Runs,
    Experiments,
    Example,
    Lab,
    Lessons,
    OwnLesson,
    ChevronDown,
};

/// `side` logical pixels, drawn with a round stroke of 1.5 px in one colour.
QPixmap iconPixmap(IconName name, const QColor& colour, int side, double pixelRatio);

} // namespace headscope::ui
