#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/token_chips.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Layout of chips in one line, from left to right in model order: x from the line's start.
class TokenLine
{
public:
    TokenLine() = default;

    /// Takes the `notes` after the text of each chip, and the `cutMark` before the chip `shown`,
    /// the first beyond the model's context; empty: no mark. A chip without a
    /// note is folded to a narrow mark.
    TokenLine(const std::vector<TokenChip>& chips, const QStringList& notes, int shown,
              const QString& cutMark, const Theme& theme);

    double width() const { return m_width; }

    bool contains(int index) const { return index >= 0 && index < std::ssize(m_chips); }

    QRectF chip(int index, double y, double height) const;

    /// Last chip that begins at or before `x`.
    std::optional<int> chipBefore(double x) const;

    bool hasCutMark() const { return m_cutWidth > 0.0; }

    QRectF cutMark(double height) const { return {m_cutX, 0.0, m_cutWidth, height}; }

private:
    struct Placed
    {
        double x = 0.0;
        double width = 0.0;
    };

    std::vector<Placed> m_chips;
    double m_cutX = 0.0;
    double m_cutWidth = 0.0;
    double m_width = 0.0;
};

} // namespace headscope::ui
