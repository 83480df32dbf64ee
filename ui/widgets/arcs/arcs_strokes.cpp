#include "ui/widgets/arcs/arcs_strokes.h"

#include "ui/widgets/arcs/arcs_cover.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace headscope::ui {
namespace {

constexpr double kRim = 3.0;      // added to the width of the outlined curve
constexpr unsigned kDimmed = 115; // weight of the surface, out of 256
constexpr double kDash = 6.0;
constexpr double kDashAndGap = 10.0;

/// Blends with `share` in 256ths. Red and blue use one multiplication.
[[gnu::always_inline]] inline QRgb blended(QRgb under, QRgb over, unsigned fraction)
{
    constexpr QRgb kRedBlue = 0x00FF00FF;
    constexpr QRgb kGreen = 0x0000FF00;
    const unsigned rest = 256U - fraction;
    const QRgb redBlue = (under & kRedBlue) * rest + (over & kRedBlue) * fraction + 0x00800080;
    const QRgb green = ((under & kGreen) >> 8) * rest + ((over & kGreen) >> 8) * fraction + 0x80;
    return 0xFF000000 | (redBlue >> 8 & kRedBlue) | (green & kGreen);
}

/// Line of width 1 in one column, shared by strokes of the same rise.
struct ColumnLine
{
    float shift = 0.0F;    ///< Vertical distance of its middle from the stroke's start.
    float rise = 0.0F;     ///< Rise within the column.
    float stretch = 1.0F;  ///< Vertical extent sqrt(1 + rise^2).
    unsigned height = 256; ///< Vertical extent in 256ths.
};

/// Columns of an image, cached for strokes.
class StrokeColumns
{
public:
    explicit StrokeColumns(int columns) : m_shape(arcShape(columns)) {}

    /// Lines for a rise; valid for the lifetime of this object.
    const ColumnLine* lines(float rise)
    {
        std::vector<ColumnLine>& lines = m_known[rise];
        for (std::size_t at = lines.size(); at + 1 < m_shape.size(); ++at) {
            const float within = std::abs(rise) * (m_shape[at + 1] - m_shape[at]);
            const float stretch = std::sqrt(1.0F + within * within);
            lines.push_back({rise * (m_shape[at] + m_shape[at + 1]) / 2.0F, within, stretch,
                             static_cast<unsigned>(stretch * 256.0F)});
        }
        return lines.data();
    }

private:
    std::vector<float> m_shape;
    std::map<float, std::vector<ColumnLine>> m_known;
};

struct Stroke
{
    float from = 0.0F;
    const ColumnLine* lines = nullptr; ///< One line per column.
    float width = 1.0F;
    QRgb colour = 0;
    float opacity = 256.0F; ///< Opacity in 256ths.
    int dash = 0;           ///< Dash length in device pixels.
    int period = 0;         ///< Length of a dash and its gap; 0: solid.
};

/// Pixels of an image, for loops over columns.
struct Pixels
{
    QRgb* first;
    std::ptrdiff_t stride;
    int columns;
    int rows;

    explicit Pixels(QImage& image)
        : first(reinterpret_cast<QRgb*>(image.bits()))
        , stride(static_cast<std::ptrdiff_t>(image.bytesPerLine() / 4))
        , columns(image.width())
        , rows(image.height())
    {
    }

    [[gnu::always_inline]] void blend(int column, int row, QRgb colour, unsigned fraction) const
    {
        QRgb& pixel = first[row * stride + column];
        pixel = blended(pixel, colour, fraction);
    }
};

/// Converts from 65 536ths of a pixel.
[[gnu::always_inline]] inline unsigned strokeFraction(unsigned covered, const Stroke& stroke)
{
    return std::min(256U, covered / 256U) * static_cast<unsigned>(stroke.opacity) / 256U;
}

/// Draws a flat piece of a 1 px line with two taps, as for unfocused curves.
[[gnu::always_inline]] inline void strokeFlat(const Pixels& pixels, int column,
                                              const Stroke& stroke, const ColumnLine& line)
{
    const float place = stroke.from + line.shift - 0.5F;
    const int row = floorOf(place);
    const auto part = static_cast<unsigned>((place - static_cast<float>(row)) * 256.0F);
    if (row >= 0 && row < pixels.rows)
        pixels.blend(column, row, stroke.colour,
                     strokeFraction((256U - part) * line.height, stroke));
    if (row >= -1 && row + 1 < pixels.rows)
        pixels.blend(column, row + 1, stroke.colour, strokeFraction(part * line.height, stroke));
}

void strokeSteep(const Pixels& pixels, int column, const Stroke& stroke, const ColumnLine& line)
{
    const ColumnCover cover(stroke.from + line.shift, line.rise, stroke.width * line.stretch);
    const int last = std::min(cover.last(), pixels.rows - 1);
    for (int row = std::max(cover.first(), 0); row <= last; ++row)
        pixels.blend(column, row, stroke.colour,
                     static_cast<unsigned>(cover.at(row) * stroke.opacity));
}

/// Draws the columns from `first` up to `last`.
void drawStroke(const Pixels& pixels, const Stroke& stroke, int first, int last)
{
    const bool isThin = stroke.width == 1.0F;
    for (int column = first; column < last; ++column) {
        if (stroke.period > 0 && column % stroke.period >= stroke.dash)
            continue;
        const ColumnLine& line = stroke.lines[column];
        if (isThin && line.rise <= 1.0F)
            strokeFlat(pixels, column, stroke, line);
        else
            strokeSteep(pixels, column, stroke, line);
    }
}

/// Number of columns processed together, so that their pixels stay in the cache.
constexpr int kColumnsAtOnce = 32;

} // namespace

QImage dimmed(const QImage& image, const QColor& surface)
{
    QImage result = image.copy();
    auto* pixels = reinterpret_cast<QRgb*>(result.bits());
    const auto count = static_cast<std::ptrdiff_t>(result.sizeInBytes() / 4);
    const QRgb page = surface.rgb();
    for (std::ptrdiff_t index = 0; index < count; ++index)
        pixels[index] = blended(pixels[index], page, kDimmed);
    return result;
}

void strokeFocus(QImage& image, const std::vector<FocusArc>& arcs, const ArcsLayout& layout,
                 const Theme& theme, double pixelRatio)
{
    StrokeColumns columns(image.width());
    std::vector<Stroke> strokes;
    for (const FocusArc& arc : arcs) {
        const double from = layout.y({ArcSide::Query, arc.query}) + arc.offset;
        const double to = layout.y({ArcSide::Key, arc.key}) + arc.offset;
        Stroke stroke;
        stroke.from = inImage(from, layout, pixelRatio);
        stroke.lines = columns.lines(static_cast<float>((to - from) * pixelRatio));
        if (arc.rim) {
            stroke.width = static_cast<float>((arc.width + kRim) * pixelRatio);
            stroke.colour = theme.surface.rgb();
            strokes.push_back(stroke);
        }
        stroke.width = static_cast<float>(arc.width * pixelRatio);
        stroke.opacity = static_cast<float>(256.0 * arc.opacity);
        stroke.colour = arc.colour.rgb();
        stroke.dash = static_cast<int>(std::lround(kDash * pixelRatio));
        stroke.period = arc.dashed ? static_cast<int>(std::lround(kDashAndGap * pixelRatio)) : 0;
        strokes.push_back(stroke);
    }
    const Pixels pixels(image);
    for (int first = 0; first < pixels.columns; first += kColumnsAtOnce)
        for (const Stroke& stroke : strokes)
            drawStroke(pixels, stroke, first, std::min(first + kColumnsAtOnce, pixels.columns));
}

} // namespace headscope::ui
