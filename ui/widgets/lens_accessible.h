#pragma once

namespace headscope::ui {

class LensGrid;

/// Makes every LensGrid a table for screen readers: rows are tokens, columns layers, cells what
/// they predict. Once is enough, more often is harmless.
void registerLensAccessibility();

/// Tells them that the current cell has moved.
void announceLensCell(LensGrid& grid);

} // namespace headscope::ui
