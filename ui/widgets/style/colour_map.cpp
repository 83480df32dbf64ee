#include "ui/widgets/style/colour_map.h"

#include "ui/widgets/style/colour_map_tables.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

std::vector<QRgb> greyTable(const Theme& theme)
{
    std::vector<QRgb> table(256);
    const QColor zero = theme.surface;
    const QColor one = theme.dark ? QColor(0xF4F4F4) : QColor(0x141414);
    for (int entry = 0; entry < 256; ++entry) {
        const double share = entry / 255.0;
        const auto mix = [share](int from, int to) {
            return static_cast<int>(std::lround(from + share * (to - from)));
        };
        table[static_cast<std::size_t>(entry)] =
            qRgb(mix(zero.red(), one.red()), mix(zero.green(), one.green()),
                 mix(zero.blue(), one.blue()));
    }
    return table;
}

std::vector<QRgb> wholeTable(MapName map, const Theme& theme)
{
    const auto values = [](const auto& table) {
        return std::vector<QRgb>(table.begin(), table.end());
    };
    switch (map) {
    case MapName::Depth:
        return values(theme.dark ? tables::kDepthDark : tables::kDepthLight);
    case MapName::Balance:
        return values(theme.dark ? tables::kBalanceDark : tables::kBalanceLight);
    case MapName::Viridis:
        return values(tables::kViridis);
    case MapName::Cividis:
        return values(tables::kCividis);
    case MapName::Magma:
        return values(tables::kMagma);
    case MapName::Grey:
        break;
    }
    return greyTable(theme);
}

/// The share `inner` of a table around its centre entry.
std::vector<QRgb> innerTable(std::vector<QRgb> table, double inner)
{
    const auto skipped = static_cast<std::ptrdiff_t>(
        std::floor((1.0 - std::clamp(inner, 0.02, 1.0)) * static_cast<double>(table.size()) / 2.0));
    return {table.begin() + skipped, table.end() - skipped};
}

double linear(int channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

QString displayName(MapName map)
{
    switch (map) {
    case MapName::Depth:
        return QStringLiteral("depth");
    case MapName::Viridis:
        return QStringLiteral("viridis");
    case MapName::Cividis:
        return QStringLiteral("cividis");
    case MapName::Magma:
        return QStringLiteral("magma");
    case MapName::Grey:
        return QStringLiteral("grey");
    case MapName::Balance:
        return QStringLiteral("balance");
    }
    return {};
}

ColourLookup::ColourLookup(const ColourScale& scale, const Theme& theme)
    : m_table(innerTable(wholeTable(scale.map, theme), scale.inner))
    , m_low(scale.low)
    , m_masked(theme.masked.rgb())
    , m_error(theme.error.rgb())
    , m_signed(scale.isSigned())
{
    const float range = scale.high - scale.low;
    m_factor = range > 0.0F ? static_cast<float>(m_table.size() - 1) / range : 0.0F;
    const auto last = static_cast<double>(m_table.size() - 1);
    for (std::size_t level = 0; level < 255; ++level)
        m_levels[level] = m_table[static_cast<std::size_t>(
            std::lround(static_cast<double>(level) * last / 254.0))];
    m_levels[255] = m_masked;
}

double relativeLuminance(QRgb colour)
{
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) +
           0.0722 * linear(qBlue(colour));
}

double contrastRatio(QRgb first, QRgb second)
{
    const double one = relativeLuminance(first) + 0.05;
    const double two = relativeLuminance(second) + 0.05;
    return std::max(one, two) / std::min(one, two);
}

QColor cellTextColour(QRgb cell)
{
    // Pure black would vanish from exported SVG files: Qt 6.4 writes it as an empty fill.
    return relativeLuminance(cell) < 0.179 ? QColor(0xFFFFFF) : QColor(0x010101);
}

} // namespace headscope::ui
