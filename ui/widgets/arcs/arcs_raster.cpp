#include "ui/widgets/arcs/arcs_raster.h"

#include "ui/widgets/arcs/arcs_cover.h"
#include "ui/widgets/arcs/arcs_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace headscope::ui {
namespace {

using Four = float __attribute__((vector_size(16)));
using FourWhole = int __attribute__((vector_size(16)));

/// Curves that cover the same pixels up to whole-pixel shifts: equal rise and equal subpixel start.
/// With rows of whole pixels there is one family per token distance.
struct Family
{
    float rise = 0.0F;
    float part = 0.0F; ///< Subpixel part of the start, in pixels.
    std::size_t first = 0;
    std::size_t count = 0;
};

/// All curves in device pixels, by family and from top to bottom within each.
struct Families
{
    std::vector<Family> families;
    std::vector<int> starts; ///< Pixel in which each curve starts.
    std::vector<Four> inks;  ///< Red, green and blue times density, and density.
};

/// Contribution of each curve of a family to the pixels of a column, the first of them `first`
/// below the curve's start.
struct Profile
{
    int first = 0;
    std::vector<Four> fractions; ///< Coverage per pixel, repeated four times.
};

void fillProfile(Profile& profile, const Family& family, float fraction, float step)
{
    const float middle = family.part + family.rise * fraction;
    const float rise = std::abs(family.rise) * step;
    const auto share4 = [](float cover) { return Four{cover, cover, cover, cover}; };
    if (rise <= 1.0F) { // two taps
        profile.first = floorOf(middle - 0.5F);
        const float part = middle - 0.5F - static_cast<float>(profile.first);
        const float height = 1.0F + 0.414F * rise * rise;
        profile.fractions.assign({share4((1.0F - part) * height), share4(part * height)});
        return;
    }
    const ColumnCover cover(middle, rise, std::sqrt(1.0F + rise * rise));
    profile.first = cover.first();
    profile.fractions.resize(static_cast<std::size_t>(cover.last() - cover.first() + 1));
    int pixel = cover.first();
    for (Four& tap : profile.fractions)
        tap = share4(cover.at(pixel++));
}

/// True if a curve of the family may cover a pixel of a column of `pixels`: in a long text most are
/// above it or below it there.
bool touches(const Families& arcs, const Family& family, float fraction, float step, int pixels)
{
    const float middle = family.part + family.rise * fraction;
    const float reach = std::abs(family.rise) * step / 2.0F + 3.0F; // and the pixels at its ends
    const int* const starts = arcs.starts.data() + family.first;
    const int* const end = starts + family.count;
    const int* const start = std::lower_bound(starts, end, floorOf(-middle - reach));
    return start != end && static_cast<float>(*start) + middle - reach < static_cast<float>(pixels);
}

void addFamily(std::vector<Four>& column, const Families& arcs, const Family& family,
               const Profile& profile)
{
    const auto pixels = static_cast<int>(column.size());
    const auto length = static_cast<int>(profile.fractions.size());
    const int* const starts = arcs.starts.data() + family.first;
    const int* const end = starts + family.count;
    const Four* ink = arcs.inks.data() + family.first;
    const int* start = starts;
    if (*start + profile.first + length <= 0) { // above the image
        start = std::upper_bound(starts, end, -profile.first - length);
        ink += start - starts;
    }
    for (; start != end && *start + profile.first < pixels; ++start, ++ink) {
        const int top = *start + profile.first;
        const int last = std::min(length, pixels - top);
        for (int tap = std::max(0, -top); tap < last; ++tap)
            column[static_cast<std::size_t>(top + tap)] +=
                *ink * profile.fractions[static_cast<std::size_t>(tap)];
    }
}

/// Lookup table of exp(-density), as there are about a million pixels.
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

QRgb inked(const Four& sums, const Four& surface, const LetThrough& letThrough)
{
    const float through = letThrough(sums[3]);
    const float ink = (1.0F - through) / sums[3];
    const FourWhole mixed =
        __builtin_convertvector(surface * through + sums * ink + 0.5F, FourWhole);
    return qRgb(mixed[0], mixed[1], mixed[2]);
}

QSize imageSize(const ArcsLayout& layout, double ratio)
{
    return {static_cast<int>(std::ceil((layout.right() - layout.left()) * ratio)),
            static_cast<int>(std::ceil(layout.rows().height() * ratio))};
}

/// A curve in device pixels of an image.
struct RasterArc
{
    float rise = 0.0F;
    float part = 0.0F;
    int start = 0;
    Four ink{};

    auto family() const { return std::pair(rise, part); }

    bool operator<(const RasterArc& other) const
    {
        return std::tie(rise, part, start) < std::tie(other.rise, other.part, other.start);
    }
};

std::vector<RasterArc> visibleArcs(const ArcsContent& content, const ArcsLayout& layout,
                                   const Theme& theme, double ratio)
{
    std::vector<RasterArc> arcs;
    const auto height = static_cast<float>(layout.rows().height() * ratio);
    const auto fraction = static_cast<float>(ratio); // at most one device pixel wide
    for (const MergedArc& merged : mergedArcs(content, theme)) {
        const float from = inImage(layout.y({ArcSide::Query, merged.query}), layout, ratio);
        const float to = inImage(layout.y({ArcSide::Key, merged.key}), layout, ratio);
        if (std::max(from, to) < 0.0F || std::min(from, to) > height)
            continue;
        const int start = floorOf(from);
        arcs.push_back({to - from, from - static_cast<float>(start), start,
                        Four{merged.red, merged.green, merged.blue, merged.density} * fraction});
    }
    return arcs;
}

Families familiesOf(std::vector<RasterArc> arcs)
{
    std::sort(arcs.begin(), arcs.end());
    Families sorted;
    for (std::size_t index = 0; index < arcs.size(); ++index) {
        const RasterArc& arc = arcs[index];
        if (index == 0 || arcs[index - 1].family() != arc.family())
            sorted.families.push_back({arc.rise, arc.part, index, 0});
        ++sorted.families.back().count;
        sorted.starts.push_back(arc.start);
        sorted.inks.push_back(arc.ink);
    }
    return sorted;
}

constexpr int kColumnsAtOnce = 16; ///< Number of pixel columns that fit one cache line of a row.

/// Rasterises `columns` columns of the image from `first` on. `pixels`: column by column.
void inkColumns(QImage& image, int first, int columns, const std::vector<QRgb>& pixels)
{
    const auto height = static_cast<std::size_t>(image.height());
    for (std::size_t row = 0; row < height; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row))) + first;
        for (int column = 0; column < columns; ++column)
            line[column] = pixels[static_cast<std::size_t>(column) * height + row];
    }
}

/// Converts a column's accumulated ink to pixels and clears it.
void takeInk(std::vector<Four>& column, QRgb* pixels, QRgb surface)
{
    static const LetThrough letThrough;
    const Four page{static_cast<float>(qRed(surface)), static_cast<float>(qGreen(surface)),
                    static_cast<float>(qBlue(surface)), 0.0F};
    for (Four& sums : column) {
        *pixels++ = sums[3] > 1e-4F ? inked(sums, page, letThrough) : surface;
        sums = Four{};
    }
}

} // namespace

QImage restImage(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                 double pixelRatio)
{
    const QSize size = imageSize(layout, pixelRatio);
    QImage image(size, QImage::Format_RGB32);
    const Families arcs = familiesOf(visibleArcs(content, layout, theme, pixelRatio));
    const std::vector<float> shape = arcShape(size.width());
    const auto height = static_cast<std::size_t>(size.height());
    std::vector<Four> sums(height, Four{});
    std::vector<QRgb> pixels(height * kColumnsAtOnce);
    Profile profile;
    for (int first = 0; first < size.width(); first += kColumnsAtOnce) {
        const int columns = std::min(kColumnsAtOnce, size.width() - first);
        for (int column = 0; column < columns; ++column) {
            const float left = shape[static_cast<std::size_t>(first + column)];
            const float step = shape[static_cast<std::size_t>(first + column) + 1] - left;
            for (const Family& family : arcs.families) {
                if (!touches(arcs, family, left + step / 2.0F, step, size.height()))
                    continue;
                fillProfile(profile, family, left + step / 2.0F, step);
                addFamily(sums, arcs, family, profile);
            }
            takeInk(sums, pixels.data() + static_cast<std::size_t>(column) * height,
                    theme.surface.rgb());
        }
        inkColumns(image, first, columns, pixels);
    }
    image.setDevicePixelRatio(pixelRatio);
    return image;
}

} // namespace headscope::ui
