#pragma once

#include "ui/views/figure.h"

namespace headscope::ui {

/// The active head as a map with its legend.
Figure headFigure(const Looking& looking, const QJsonObject& options);

/// All heads of the active part as thumbnails; the numbers are each head's mean entropy in bits and
/// the active head's pattern.
Figure gridFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
