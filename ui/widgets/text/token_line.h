#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/token_chips.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Where chips lie in one line, from left to right in model order: x from the line's beginning.
class TokenLine
{
public:
    TokenLine() = default;

    /// `notes`: what stands behind the text of each chip. `cutMark`: what stands before the chip
    /// `shown`, the first that the model did not see; empty: no mark.
    TokenLine(const std::vector<TokenChip>& chips, const QStringList& notes, int shown,
              const QString& cutMark, const Theme& theme);

    double width() const { return m_width; }

    bool contains(int index) const { return index >= 0 && index < std::ssize(m_chips); }

    QRectF chip(int index, double y, double height) const;

    /// The last chip that begins at or before `x`.
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
