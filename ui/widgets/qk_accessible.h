#pragma once

namespace headscope::ui {

class QkWidget;

/// Makes every QkWidget a table for screen readers: a row a key, a column a stage. Calling it again
/// changes nothing.
void registerQkAccessibility();

/// Tells a screen reader that another key was chosen, or that its numbers changed.
void announceKey(QkWidget& widget);

} // namespace headscope::ui
