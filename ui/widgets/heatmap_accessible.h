#pragma once

namespace headscope::ui {

class HeatmapWidget;

/// Makes every HeatmapWidget a table for screen readers. Calling it again changes nothing.
void registerHeatmapAccessibility();

/// Tells a screen reader that the current cell or its value changed.
void announceCurrentCell(HeatmapWidget& widget);

} // namespace headscope::ui
