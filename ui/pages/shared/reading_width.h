#pragma once

class QLabel;

namespace headscope::ui {

/// Number of characters after which a line of running text is hard to follow.
inline constexpr int kReadableLine = 72;

/// Stops the label's lines after about kReadableLine characters, in any font size.
void keepReadable(QLabel& label);

} // namespace headscope::ui
