#include "core/lessons/lesson_references.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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

/// Condition "NAME OP [FACTOR] [NAME]" of {{if ...}}, such as "gradient > 2 other_gradient".
struct Condition
{
    std::string_view left;
    std::string_view comparison;
    double factor = 1.0;
    std::string_view right; ///< Empty: compares with the factor itself.
};

std::optional<double> numberIn(std::string_view word)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
        return std::nullopt;
    return value;
}

Condition conditionIn(std::string_view text)
{
    const std::vector<std::string_view> words = spacedWords(text);
    const auto refuse = [&] {
        return Error("the condition " + inQuotes(text) + " cannot be read", {},
                     "Write {{if name > number}} or {{if name < number other}}");
    };
    if (words.size() < 3 || words.size() > 4 || (words[1] != "<" && words[1] != ">"))
        throw refuse();
    Condition condition{words[0], words[1], 1.0, {}};
    const std::optional<double> factor = numberIn(words[2]);
    condition.factor = factor.value_or(1.0);
    if (words.size() == 4)
        condition.right = words[3];
    else if (!factor)
        condition.right = words[2];
    if (words.size() == 4 && !factor)
        throw refuse();
    return condition;
}

/// Turns a text with {{if}}, {{else}} and {{end}} into calls of `plain` for its plain parts, with
/// whether the part applies, and of `meet` for each condition, which returns whether it is met.
template<class Plain, class Meet>
void eachPart(std::string_view text, Plain&& plain, Meet&& meet)
{
    const auto refuse = [](std::string_view what) {
        return Error(inQuotes(what) + " has no {{if}} before it, or no {{end}} after it", {},
                     "Write {{if a > b}}one text{{else}}another{{end}}");
    };
    std::optional<bool> met; // inside {{if}}
    bool applies = true;
    std::size_t done = 0;
    std::size_t from = 0;
    while (const auto mark = nextReference(text, from)) {
        const bool opens = mark->name.starts_with("if ");
        from = mark->end;
        if (!opens && mark->name != "else" && mark->name != "end")
            continue;
        if (opens == met.has_value())
            throw refuse(text.substr(mark->begin, mark->end - mark->begin));
        plain(text.substr(done, mark->begin - done), applies);
        done = mark->end;
        if (opens)
            met = meet(conditionIn(mark->name.substr(3)));
        applies = opens ? *met : mark->name == "end" || !*met;
        if (mark->name == "end")
            met.reset();
    }
    if (met)
        throw refuse("{{if}}");
    plain(text.substr(done), true);
}

} // namespace

std::string fillIn(std::string_view text,
                   const std::function<ReferencedNumber(std::string_view)>& number)
{
    std::string filled;
    const auto fill = [&](std::string_view part, bool applies) {
        std::size_t from = 0;
        while (const auto reference = applies ? nextReference(part, from) : std::nullopt) {
            filled += part.substr(from, reference->begin - from);
            filled += formatted(number(reference->name), reference->format);
            from = reference->end;
        }
        if (applies)
            filled += part.substr(from);
    };
    eachPart(text, fill, [&](const Condition& condition) {
        const double left = number(condition.left).value;
        const double right =
            condition.factor * (condition.right.empty() ? 1.0 : number(condition.right).value);
        return condition.comparison == "<" ? left < right : left > right;
    });
    return filled;
}

std::vector<std::string> references(std::string_view text)
{
    std::vector<std::string> names;
    const auto collect = [&](std::string_view part, bool) {
        std::size_t from = 0;
        while (const auto reference = nextReference(part, from)) {
            names.emplace_back(reference->name);
            from = reference->end;
        }
    };
    eachPart(text, collect, [&](const Condition& condition) {
        names.emplace_back(condition.left);
        if (!condition.right.empty())
            names.emplace_back(condition.right);
        return true;
    });
    return names;
}

} // namespace headscope
