#include "ui/widgets/arcs_raster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kRim = 3.0; // wider than the curve that it surrounds
constexpr int kDimmed = 115; // of 256 parts of surface
constexpr double kDash = 6.0;
constexpr double kDashAndGap = 10.0;

/// Red, green and blue times density, and density: four floats that are added as one.
struct Lanes
{
    using Four = float __attribute__((vector_size(16)));
    Four sums = {0.0F, 0.0F, 0.0F, 0.0F};

    void add(const Lanes& other, float share) { sums += other.sums * share; }

    float density() const { return sums[3]; }
};

/// A curve in device pixels of an image.
struct RasterArc
{
    float from = 0.0F;
    float rise = 0.0F;
    Lanes ink;
};

int floorOf(float value)
{
    const int truncated = static_cast<int>(value);
    return truncated - (value < static_cast<float>(truncated) ? 1 : 0);
}

/// How much of the pixels of one column a line covers that rises by `rise` within it: a trapezoid,
/// the line's height in the column (box) smeared over its rise (box), at least over a pixel.
class ColumnCover
{
public:
    ColumnCover(float middle, float rise, float width) : m_middle(middle)
    {
        const float height = width * std::sqrt(1.0F + rise * rise);
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

void addArc(std::vector<Lanes>& column, const RasterArc& arc, float share, float step)
{
    const auto pixels = static_cast<int>(column.size());
    const float middle = arc.from + arc.rise * share;
    const float rise = std::abs(arc.rise) * step;
    if (middle + rise < -2.0F || middle - rise > static_cast<float>(pixels) + 2.0F)
        return;
    if (rise <= 1.0F) { // two taps
        const float place = middle - 0.5F;
        const int pixel = floorOf(place);
        if (pixel < 0 || pixel + 1 >= pixels)
            return;
        const float part = place - static_cast<float>(pixel);
        const float height = 1.0F + 0.414F * rise * rise;
        column[static_cast<std::size_t>(pixel)].add(arc.ink, (1.0F - part) * height);
        column[static_cast<std::size_t>(pixel) + 1].add(arc.ink, part * height);
        return;
    }
    const ColumnCover cover(middle, rise, 1.0F);
    const int last = std::min(cover.last(), pixels - 1);
    for (int pixel = std::max(cover.first(), 0); pixel <= last; ++pixel)
        column[static_cast<std::size_t>(pixel)].add(arc.ink, cover.at(pixel));
}

/// exp(-density) from a table: the picture has a million pixels.
class LetThrough
{
public:
    LetThrough()
    {
        for (std::size_t step = 0; step < m_table.size(); ++step)
            m_table[step] = std::exp(-static_cast<float>(step) / kStepsPerUnit);
    }

    float operator()(float density) const
    {
        const auto step = static_cast<std::size_t>(density * kStepsPerUnit + 0.5F);
        return m_table[std::min(step, m_table.size() - 1)];
    }

private:
    static constexpr float kStepsPerUnit = 256.0F;
    std::array<float, 2048> m_table{};
};

QRgb inked(const Lanes& lanes, QRgb surface, const LetThrough& letThrough)
{
    const float through = letThrough(lanes.density());
    const float ink = (1.0F - through) / lanes.density();
    const auto mix = [through, ink](int page, float colour) {
        return std::clamp(
            static_cast<int>(static_cast<float>(page) * through + colour * ink + 0.5F), 0, 255);
    };
    return qRgb(mix(qRed(surface), lanes.sums[0]), mix(qGreen(surface), lanes.sums[1]),
                mix(qBlue(surface), lanes.sums[2]));
}

QSize imageSize(const ArcsLayout& layout, double ratio)
{
    return {static_cast<int>(std::ceil((layout.right() - layout.left()) * ratio)),
            static_cast<int>(std::ceil(layout.rows().height() * ratio))};
}

float inImage(double y, const ArcsLayout& layout, double ratio)
{
    return static_cast<float>((y - layout.rows().y()) * ratio);
}

std::vector<RasterArc> visibleArcs(const ArcsContent& content, const ArcsLayout& layout,
                                   const Theme& theme, double ratio)
{
    std::vector<RasterArc> arcs;
    const auto height = static_cast<float>(layout.rows().height() * ratio);
    for (const MergedArc& merged : mergedArcs(content, theme)) {
        const float from = inImage(layout.y({ArcSide::Query, merged.query}), layout, ratio);
        const float to = inImage(layout.y({ArcSide::Key, merged.key}), layout, ratio);
        if (std::max(from, to) < 0.0F || std::min(from, to) > height)
            continue;
        const auto share = static_cast<float>(ratio); // a device pixel is all the width it has
        RasterArc arc{from, to - from, {}};
        arc.ink.sums = Lanes::Four{merged.red, merged.green, merged.blue, merged.density} * share;
        arcs.push_back(arc);
    }
    return arcs;
}

/// `share` in 256ths.
QRgb blended(QRgb under, QRgb over, int share)
{
    const auto mix = [share](int from, int to) { return from + ((to - from) * share + 128) / 256; };
    return qRgb(mix(qRed(under), qRed(over)), mix(qGreen(under), qGreen(over)),
                mix(qBlue(under), qBlue(over)));
}

struct Stroke
{
    float from = 0.0F;
    float rise = 0.0F;
    float width = 1.0F;
    QRgb colour = 0;
    int dash = 0;   ///< device pixels
    int period = 0; ///< of a dash and its gap; 0: solid
};

void drawStroke(QImage& image, const Stroke& stroke, const std::vector<float>& shape)
{
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / 4);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    for (int column = 0; column < image.width(); ++column) {
        if (stroke.period > 0 && column % stroke.period >= stroke.dash)
            continue;
        const float left = shape[static_cast<std::size_t>(column)];
        const float right = shape[static_cast<std::size_t>(column) + 1];
        const ColumnCover cover(stroke.from + stroke.rise * (left + right) / 2.0F,
                                std::abs(stroke.rise) * (right - left), stroke.width);
        const int last = std::min(cover.last(), image.height() - 1);
        for (int row = std::max(cover.first(), 0); row <= last; ++row) {
            QRgb& pixel = pixels[row * stride + column];
            pixel = blended(pixel, stroke.colour, static_cast<int>(cover.at(row) * 256.0F));
        }
    }
}

} // namespace

QImage restImage(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                 double pixelRatio)
{
    const QSize size = imageSize(layout, pixelRatio);
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.surface);
    const std::vector<RasterArc> arcs = visibleArcs(content, layout, theme, pixelRatio);
    const std::vector<float> shape = arcShape(size.width());
    static const LetThrough letThrough;
    const QRgb surface = theme.surface.rgb();
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / 4);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    std::vector<Lanes> lanes(static_cast<std::size_t>(size.height()));
    for (int column = 0; column < size.width(); ++column) {
        std::fill(lanes.begin(), lanes.end(), Lanes{});
        const float left = shape[static_cast<std::size_t>(column)];
        const float step = shape[static_cast<std::size_t>(column) + 1] - left;
        for (const RasterArc& arc : arcs)
            addArc(lanes, arc, left + step / 2.0F, step);
        for (int row = 0; row < size.height(); ++row) {
            const Lanes& ink = lanes[static_cast<std::size_t>(row)];
            if (ink.density() > 1e-4F)
                pixels[row * stride + column] = inked(ink, surface, letThrough);
        }
    }
    image.setDevicePixelRatio(pixelRatio);
    return image;
}

QImage dimmed(const QImage& image, const QColor& surface)
{
    QImage result = image.copy();
    auto* pixels = reinterpret_cast<QRgb*>(result.bits());
    const auto count = static_cast<std::ptrdiff_t>(result.sizeInBytes() / 4);
    const QRgb page = surface.rgb();
    for (std::ptrdiff_t index = 0; index < count; ++index) {
        if (pixels[index] != page)
            pixels[index] = blended(pixels[index], page, kDimmed);
    }
    return result;
}

void strokeFocus(QImage& image, const std::vector<FocusArc>& arcs, const ArcsLayout& layout,
                 const Theme& theme, double pixelRatio)
{
    const std::vector<float> shape = arcShape(image.width());
    for (const FocusArc& arc : arcs) {
        Stroke stroke;
        const double from = layout.y({ArcSide::Query, arc.link.query}) + arc.offset;
        const double to = layout.y({ArcSide::Key, arc.link.key}) + arc.offset;
        stroke.from = inImage(from, layout, pixelRatio);
        stroke.rise = inImage(to, layout, pixelRatio) - stroke.from;
        if (arc.rim) {
            stroke.width = static_cast<float>((arc.width + kRim) * pixelRatio);
            stroke.colour = theme.surface.rgb();
            drawStroke(image, stroke, shape);
        }
        stroke.width = static_cast<float>(arc.width * pixelRatio);
        stroke.colour = arc.colour.rgb();
        stroke.dash = static_cast<int>(std::lround(kDash * pixelRatio));
        stroke.period = arc.dashed ? static_cast<int>(std::lround(kDashAndGap * pixelRatio)) : 0;
        drawStroke(image, stroke, shape);
    }
}

} // namespace headscope::ui
