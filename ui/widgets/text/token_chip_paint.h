#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/token_chips.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// What a strip knows of one of its chips besides the token.
struct TokenChipState
{
    bool isQuery = false;
    bool isKey = false;
    bool isHovered = false;
    bool isUnseen = false; ///< the model did not see it: the text is too long
    bool isStale = false;
    bool joinsNext = false; ///< no gap: the next token belongs to the same character
};

/// `note` stands behind the token's text, small: its position, or id and bytes.
void paintTokenChip(QPainter& painter, const QRectF& place, const TokenChip& chip,
                    const QString& note, const TokenChipState& state, const Theme& theme);

} // namespace headscope::ui
