#pragma once

#include "ui/widgets/style/theme.h"

#include <QString>

namespace headscope::ui {

/// What the application's widgets look like beside what the palette says.
QString styleSheetOf(const Theme& theme);

} // namespace headscope::ui
