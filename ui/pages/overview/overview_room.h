#pragma once

#include <QSizeF>

namespace headscope::ui {

/// Side of the small maps, at scale 1, that fills a page beside its large square map: from 32 to
/// 320 pixels. `page`: its inner size at scale 1.
double sideOfSmallMaps(QSizeF page, int layers, int heads);

} // namespace headscope::ui
