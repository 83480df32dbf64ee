#pragma once

#include "core/model/config/model_settings.h"
#include "ui/widgets/formula/formula.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// One position encoding as pages show it.
struct PositionTitle
{
    Positions kind = Positions::None;
    QString option; ///< in saved views
    QString title;
    QString button;  ///< short, beside the others
    QString picture; ///< title of its picture
    QString tip;     ///< what it does
    Math (*formula)() = nullptr;
};

/// All, in the order of the buttons.
std::vector<PositionTitle> positionTitles();
PositionTitle positionTitle(Positions kind);

} // namespace headscope::ui
