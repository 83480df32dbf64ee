#pragma once

#include "ui/pages/qk/qk_content.h"
#include "ui/pages/shared/maps/shown_number.h"

namespace headscope::ui {

class QkWidget;

/// One stage of a key of the shown row: q·k, scaled, score, exp, weight. None of a hidden one that
/// has no number.
MaybeNumber qkStageNumber(const ViewSnapshot& view, const QkContent& content, int key, int stage);

enum class QkStrip { Query, Key, Product };

/// One channel of the query's, a key's or the product's strip; `column` as shown.
MaybeNumber qkChannelNumber(const ViewSnapshot& view, const QkContent& content, QkStrip strip,
                            int key, int column);

/// Number at a position of the screen; without one, the marked channel's product, or else the
/// selected key's weight.
MaybeNumber qkNumberAt(const ViewSnapshot& view, const QkWidget& table,
                       std::optional<QPoint> place);

} // namespace headscope::ui
