#pragma once

class QWidget;

namespace headscope::ui {

/// New texts and type change sizes, which reach a window only after every layout in between was
/// asked: returns when all have been.
void settleLayouts();

/// True when nothing that can be seen in `window` is still being measured.
bool isSettled(const QWidget& window);

} // namespace headscope::ui
