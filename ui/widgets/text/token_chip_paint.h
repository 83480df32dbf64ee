#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/token_chips.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// State of a chip in its strip.
struct TokenChipState
{
    bool isQuery = false;
    bool isKey = false;
    bool isHovered = false;
    bool isUnseen = false; ///< True for tokens beyond the model's context.
    bool isStale = false;
    bool joinsNext = false; ///< No gap: the next token belongs to the same character.
};

/// Paints a chip; `note` follows the token's text in small type: its position, or id and bytes.
/// Without a note the chip is folded to a mark.
void paintTokenChip(QPainter& painter, const QRectF& place, const TokenChip& chip,
                    const QString& note, const TokenChipState& state, const Theme& theme);

} // namespace headscope::ui
