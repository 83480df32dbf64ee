#pragma once

#include "ui/widgets/style/theme.h"

#include <QString>

namespace headscope::ui {

/// Style sheet of the application's widgets, in addition to the palette.
QString styleSheetOf(const Theme& theme);

} // namespace headscope::ui
