#pragma once

#include "ui/widgets/arcs/arcs_layout.h"

namespace headscope::ui {

/// Geometry of the bars for one focused token; shared measures are computed once.
class ArcBars
{
public:
    ArcBars(const ArcsLayout& layout, const ArcsContent& content, ArcEnd focus, const Theme& theme);

    ArcEnd focus() const { return m_focus; }

    double zero() const { return m_zero; } ///< Position x of a weight of 0.

    double numberWidth() const { return m_number; }

    QRectF bar(ArcEnd other, int head) const;

private:
    const ArcsLayout& m_layout;
    const ArcsContent& m_content;
    ArcEnd m_focus;
    double m_number;
    double m_zero;
    double m_full; ///< Length of a weight of 1.
    double m_step;
    double m_height;
};

ArcSide otherSide(ArcSide side);

} // namespace headscope::ui
