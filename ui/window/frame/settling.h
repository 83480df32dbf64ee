#pragma once

class QWidget;

namespace headscope::ui {

/// Activates all layouts until the new sizes of texts and type have reached the window.
void settleLayouts();

/// True when no visible widget in `window` is still measuring.
bool isSettled(const QWidget& window);

} // namespace headscope::ui
