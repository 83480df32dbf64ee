#pragma once

#include "core/model/config/model_settings.h"
#include "ui/widgets/formula/formula.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// Texts of one position encoding.
struct PositionTitle
{
    Positions kind = Positions::None;
    QString option; ///< Key in saved views.
    QString title;
    QString button; ///< Short label of its button.
    QString image;  ///< Title of its plot.
    QString tip;    ///< Tooltip that says what it does.
    Math (*formula)() = nullptr;
};

/// All, in the order of the buttons.
std::vector<PositionTitle> positionTitles();
PositionTitle positionTitle(Positions kind);

} // namespace headscope::ui
