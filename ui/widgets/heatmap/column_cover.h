#pragma once

#include <algorithm>
#include <cmath>

namespace headscope::ui {

inline int floorOf(float value)
{
    const int truncated = static_cast<int>(value);
    return truncated - (value < static_cast<float>(truncated) ? 1 : 0);
}

/// Coverage of a column's pixels by a line that rises by `rise` within it: a trapezoid, the
/// convolution of the line's height in the column (box) with its rise (box), at least one pixel
/// wide.
class ColumnCover
{
public:
    /// Takes the line's `height` in the column, which is its width times sqrt(1 + rise^2).
    ColumnCover(float middle, float rise, float height) : m_middle(middle)
    {
        const float smear = std::max(rise, 1.0F);
        m_slope = 1.0F / smear;
        m_base = (height + smear) / 2.0F;
        m_peak = std::min(1.0F, height * m_slope);
    }

    int first() const { return floorOf(m_middle - m_base); }

    int last() const { return floorOf(m_middle + m_base); }

    float at(int pixel) const
    {
        const float away = std::abs(static_cast<float>(pixel) + 0.5F - m_middle);
        return std::clamp((m_base - away) * m_slope, 0.0F, m_peak);
    }

private:
    float m_middle;
    float m_slope;
    float m_base;
    float m_peak;
};

} // namespace headscope::ui
