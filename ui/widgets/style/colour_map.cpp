#include "ui/widgets/style/colour_map.h"

#include "core/base/builtin_text.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope {

/// Of resources/colour_maps: lines of colours RRGGBB. depth and balance are lightness-linear in
/// OKLab; balance has its zero at entry 127. viridis and magma (Smith, van der Walt 2015) and
/// cividis (Nunez, Anderton, Renslow 2018) were published under CC0.
std::span<const BuiltinText> builtinColourMaps(); // written by CMake (generated.cmake)

} // namespace headscope

namespace headscope::ui {
namespace {

using ColourTable = std::vector<QRgb>;

/// Throws FormatError for anything but 255 or 256 colours.
ColourTable readTable(const BuiltinText& file)
{
    ColourTable table;
    bool read = true;
    const auto text = QByteArray::fromRawData(file.text.data(), std::ssize(file.text));
    for (const QJsonValue& line : QJsonDocument::fromJson(text).array())
        for (const QString& colour : line.toString().split(QLatin1Char(' '))) {
            bool isNumber = false;
            table.push_back(0xFF000000 | colour.toUInt(&isNumber, 16));
            read = read && isNumber && colour.size() == 6;
        }
    if (!read || table.size() < 255 || table.size() > 256)
        throw FormatError("not 255 or 256 colours RRGGBB",
                          "colour_maps/" + std::string(file.name) + ".json", std::nullopt, {});
    return table;
}

const ColourTable& storedTable(const std::string& name)
{
    static const auto tables = [] {
        std::map<std::string, ColourTable> read;
        for (const BuiltinText& file : builtinColourMaps())
            read.emplace(file.name, readTable(file));
        return read;
    }();
    return tables.at(name);
}

ColourTable greyTable(const Theme& theme)
{
    ColourTable table(256);
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

ColourTable wholeTable(MapName map, const Theme& theme)
{
    std::string name = displayName(map).toStdString();
    if (map == MapName::Grey)
        return greyTable(theme);
    if (map == MapName::Depth || map == MapName::Balance)
        name += theme.dark ? "-dark" : "-light";
    return storedTable(name);
}

/// The share `inner` of a table around its centre entry.
ColourTable innerTable(ColourTable table, double inner)
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
    static const std::array kNames{"depth", "viridis", "cividis", "magma", "grey", "balance"};
    return QString::fromLatin1(kNames[static_cast<std::size_t>(map)]);
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
