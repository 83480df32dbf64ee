#pragma once

class QHBoxLayout;
class QLabel;

namespace headscope::ui {

/// Number of characters after which a line of running text is hard to follow.
inline constexpr int kReadableLine = 72;

/// Row of a label whose lines stop after about kReadableLine characters, in any font size. Without
/// a row of its own such a label would get the height of its text at the full width.
QHBoxLayout* readableRow(QLabel* label);

} // namespace headscope::ui
