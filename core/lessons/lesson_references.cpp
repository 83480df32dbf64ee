#include "core/lessons/lesson_references.h"
#include "core/base/error.h"
#include "core/base/json_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace headscope {

namespace {

struct Reference
{
    std::size_t begin = 0; ///< Offset of "{{".
    std::size_t end = 0;   ///< Offset after "}}".
    std::string_view name;
    std::string_view format;
};

std::optional<Reference> nextReference(std::string_view text, std::size_t from)
{
    const std::size_t begin = text.find("{{", from);
    if (begin == std::string_view::npos)
        return std::nullopt;
    const std::size_t close = text.find("}}", begin);
    if (close == std::string_view::npos)
        throw Error("the reference " + inQuotes(text.substr(begin, 12)) + " is not closed", {},
                    "Write {{name}}");
    const std::string_view inner = text.substr(begin + 2, close - begin - 2);
    const std::size_t bar = inner.find('|');
    Reference reference{begin, close + 2, inner.substr(0, bar), {}};
    if (bar != std::string_view::npos)
        reference.format = inner.substr(bar + 1);
    return reference;
}

/// Uses U+2212 as the minus sign, like the rest of the program.
std::string withMinus(std::string digits)
{
    if (digits.starts_with('-'))
        digits.replace(0, 1, "\u2212");
    return digits;
}

std::string withDecimals(double value, int decimals)
{
    std::string digits = fmt::format("{:.{}f}", value, decimals);
    if (digits.starts_with('-') && digits.find_first_not_of("-0.") == std::string::npos)
        digits.erase(0, 1);
    return withMinus(std::move(digits));
}

std::string withThousands(double value)
{
    std::string digits = fmt::format("{:.0f}", std::abs(value));
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, "\u202F"); // narrow no-break space
    return (value < 0.0 ? "\u2212" : "") + digits;
}

std::string asBytes(double value)
{
    static constexpr std::array<std::string_view, 5> kUnits{"B", "KB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; std::abs(value) >= 1000.0 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000.0;
    return unit == 0 ? withThousands(value) + " B" : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string withoutZeros(std::string digits)
{
    if (digits.find('.') != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.ends_with('.'))
            digits.pop_back();
    }
    return digits;
}

std::string formatted(const ReferencedNumber& number, std::string_view format)
{
    const double value = number.value;
    if (format.empty())
        return withoutZeros(withDecimals(value, 4));
    if (format.size() == 1 && format[0] >= '0' && format[0] <= '9')
        return withDecimals(value, format[0] - '0');
    if (format == "int")
        return withThousands(value);
    if (format == "percent")
        return withoutZeros(withDecimals(100.0 * value, 1)) + " %";
    if (format == "bytes")
        return asBytes(value);
    if (format == "short")
        return withMinus(fmt::format("{:.6g}", value));
    if (format == "exact")
        return number.exact.empty() ? withoutZeros(withDecimals(value, 4)) : number.exact;
    throw Error("there is no format " + inQuotes(format), {},
                "Use a number of decimals, int, percent, bytes, short or exact");
}

} // namespace

std::string fillIn(std::string_view text,
                   const std::function<ReferencedNumber(std::string_view)>& number)
{
    std::string filled;
    std::size_t from = 0;
    while (const auto reference = nextReference(text, from)) {
        filled += text.substr(from, reference->begin - from);
        filled += formatted(number(reference->name), reference->format);
        from = reference->end;
    }
    return filled.append(text.substr(from));
}

std::vector<std::string> references(std::string_view text)
{
    std::vector<std::string> names;
    std::size_t from = 0;
    while (const auto reference = nextReference(text, from)) {
        names.emplace_back(reference->name);
        from = reference->end;
    }
    return names;
}

} // namespace headscope
