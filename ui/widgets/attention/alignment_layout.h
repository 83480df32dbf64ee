#pragma once

#include "ui/widgets/attention/alignment.h"
#include "ui/widgets/style/theme.h"

#include <QPainterPath>
#include <QRectF>

#include <optional>

namespace headscope::ui {

/// Layout of two texts over the whole width, one column per token.
class AlignmentLayout
{
public:
    AlignmentLayout(QRectF area, const AlignmentContent& content, const Theme& theme);

    QRectF column(int token, bool isAbove) const; ///< Column of a token's label.
    std::optional<int> belowAt(QPointF point) const;
    QPainterPath ribbon(const AlignmentRibbon& ribbon) const;

    static double height(const Theme& theme);

private:
    double pitch(bool isAbove) const;
    double left(bool isAbove) const;

    QRectF m_area;
    double m_text = 0.0; ///< Height of a line of tokens.
    double m_pitch = 0.0;
    int m_above = 0;
    int m_below = 0;
};

} // namespace headscope::ui
