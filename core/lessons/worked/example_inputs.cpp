#include "core/lessons/worked/example_inputs.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kLargest = 1e6;

double parsedNumber(std::string_view typed, std::string_view cell)
{
    std::string_view text = trimmedText(typed);
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double value = 0.0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string where(cell);
    if (result.ec == std::errc::result_out_of_range)
        throw Error(inQuotes(typed) + " is too large or too small", where,
                    "Type a number between -1000000 and 1000000");
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size())
        throw Error(text.empty() ? "there is no number" : inQuotes(typed) + " is not a number",
                    where, "Type a number such as 1.5 or -2");
    if (!std::isfinite(value))
        throw Error(inQuotes(typed) + " is not finite", where, "Type a number such as 1.5 or -2");
    if (std::abs(value) > kLargest)
        throw Error(inQuotes(typed) + " is too large", where,
                    "Type a number between -1000000 and 1000000");
    return value == 0.0 ? 0.0 : value; // avoids -0
}

bool parsedSwitch(std::string_view typed, std::string_view name)
{
    const std::string_view text = trimmedText(typed);
    for (const std::string_view on : {"on", "true", "1"})
        if (text == on)
            return true;
    for (const std::string_view off : {"off", "false", "0"})
        if (text == off)
            return false;
    throw Error(inQuotes(typed) + " is neither on nor off", std::string(name), "Type on or off");
}

template<class Matrix>
Matrix* found(std::vector<Matrix>& matrices, std::string_view name)
{
    const auto place = std::ranges::find(matrices, name, &Matrix::name);
    return place == matrices.end() ? nullptr : &*place;
}

std::vector<std::string> namesIn(const ExampleInputs& inputs)
{
    std::vector<std::string> names;
    for (const auto& matrix : inputs.matrices)
        names.push_back(matrix.name);
    for (const auto& each : inputs.switches)
        names.push_back(each.name);
    return names;
}

/// Index of "[2,0]" in the matrix's values.
std::size_t placeOf(const ExampleInputs::Matrix& matrix, std::string_view name)
{
    int row = -1;
    int column = -1;
    const std::string_view place = name.substr(matrix.name.size());
    const char* end = place.data() + place.size();
    const auto first =
        std::from_chars(place.data() + std::min<std::size_t>(1, place.size()), end, row);
    std::from_chars_result second{first.ptr, std::errc::invalid_argument};
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',')
        second = std::from_chars(first.ptr + 1, end, column);
    const auto rows = static_cast<int>(matrix.rowLabels.size());
    const auto columns = static_cast<int>(matrix.columnLabels.size());
    const bool reads = second.ec == std::errc() && end - second.ptr == 1 && *second.ptr == ']';
    if (!reads || row < 0 || row >= rows || column < 0 || column >= columns)
        throw Error("there is no cell " + inQuotes(name), {},
                    fmt::format("\"{0}[0,0]\" is the first and \"{0}[{1},{2}]\" the last",
                                matrix.name, rows - 1, columns - 1));
    return static_cast<std::size_t>(row) * matrix.columnLabels.size() +
           static_cast<std::size_t>(column);
}

} // namespace

void ExampleInputs::set(std::string_view name, std::string_view value)
{
    const std::string_view head = name.substr(0, name.find('['));
    if (Matrix* matrix = found(matrices, head)) {
        const std::size_t place = placeOf(*matrix, name);
        matrix->values.at(place) = parsedNumber(value, name);
        return;
    }
    if (Switch* each = found(switches, name)) {
        const bool on = parsedSwitch(value, name);
        for (Switch& other : switches)
            if (on && !each->group.empty() && other.group == each->group)
                other.on = false;
        each->on = on;
        return;
    }
    throw Error("there is no input or switch " + inQuotes(name), inQuotes(example),
                nearestNameAdvice(head, namesIn(*this)));
}

bool ExampleInputs::isOn(std::string_view name) const
{
    const auto place = std::ranges::find(switches, name, &Switch::name);
    return place != switches.end() && place->on;
}

bool ExampleInputs::has(std::string_view matrix) const
{
    return std::ranges::find(matrices, matrix, &Matrix::name) != matrices.end();
}

ExampleInputs::Matrix& ExampleInputs::matrix(std::string_view name)
{
    Matrix* matrix = found(matrices, name);
    if (!matrix)
        throw Error("there is no matrix " + inQuotes(name), inQuotes(example),
                    nearestNameAdvice(name, namesIn(*this)));
    return *matrix;
}

const ExampleInputs::Matrix& ExampleInputs::matrix(std::string_view name) const
{
    return const_cast<ExampleInputs&>(*this).matrix(name); // reads only
}

} // namespace headscope
