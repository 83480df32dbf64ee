#pragma once

#include "ui/widgets/style/theme.h"

#include <QRgb>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace headscope::ui {

enum class MapName { Depth, Viridis, Cividis, Magma, Grey, Balance };

/// Mapping from values to colours. Balance is for signed data only: its centre is always 0.
struct ColourScale
{
    MapName map = MapName::Depth;
    float low = 0.0F;
    float high = 1.0F;
    /// Fraction of the colour table in use, around its centre: 0.7 for position tables.
    double inner = 1.0;

    static ColourScale weights() { return {}; }

    static ColourScale difference(float range = 1.0F)
    {
        return {MapName::Balance, -range, range, 1.0};
    }

    bool isSigned() const { return map == MapName::Balance; }

    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

QString displayName(MapName map); ///< Name "depth", "viridis", ... as written in the settings.

/// ColourScale prepared for many values.
class ColourLookup
{
public:
    ColourLookup(const ColourScale& scale, const Theme& theme);

    /// Colour of a value. Values outside the range are clamped; -inf (a masked score) has the
    /// masked colour, NaN the error colour.
    QRgb colour(float value) const
    {
        const float place = (value - m_low) * m_factor + 0.5F;
        if (place >= 0.0F)
            return m_table[std::min(static_cast<std::size_t>(std::min(place, 1024.0F)),
                                    m_table.size() - 1)];
        if (std::isnan(value))
            return m_error;
        return std::isinf(value) ? m_masked : m_table.front();
    }

    /// Colour of a level, 0..254 over low..high, 255 masked.
    QRgb level(std::uint8_t level) const { return m_levels[level]; }

    bool isSigned() const { return m_signed; }

private:
    std::vector<QRgb> m_table;
    std::array<QRgb, 256> m_levels{};
    float m_low;
    float m_factor = 0.0F; ///< Entries per unit of value.
    QRgb m_masked;
    QRgb m_error;
    bool m_signed;
};

/// Text colour on a cell: white on dark cells (relative luminance below 0.179), else #010101, with
/// a contrast of at least 4.5:1.
QColor cellTextColour(QRgb cell);
double relativeLuminance(QRgb colour); ///< Relative luminance as defined by WCAG 2.1.
double contrastRatio(QRgb first, QRgb second);

} // namespace headscope::ui
