#include "core/io/csv.h"

#include "core/base/atomic_write.h"

#include <array>
#include <charconv>
#include <cmath>

namespace headscope {

namespace {

std::string nameAt(const std::vector<std::string>& names, std::int64_t index)
{
    const auto at = static_cast<std::size_t>(index);
    return at < names.size() ? names[at] : std::to_string(index);
}

} // namespace

std::string exactNumber(float value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0.0F ? "inf" : "-inf";
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), result.ptr};
}

std::string csvField(std::string_view text)
{
    const bool plain = text.find_first_of("\",\r\n") == std::string_view::npos &&
                       !text.starts_with(' ') && !text.ends_with(' ');
    if (plain)
        return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + '"';
}

std::string toCsv(const NamedMatrix& matrix)
{
    const std::int64_t columns = matrix.values.shape[1];
    std::string csv;
    for (std::int64_t column = 0; column < columns; ++column)
        csv += ',' + csvField(nameAt(matrix.columns, column));
    csv += "\r\n";
    for (std::int64_t row = 0; row < matrix.values.shape[0]; ++row) {
        csv += csvField(nameAt(matrix.rows, row));
        for (std::int64_t column = 0; column < columns; ++column)
            csv += ',' + exactNumber(matrix.values(row, column));
        csv += "\r\n";
    }
    return csv;
}

void saveCsv(const std::filesystem::path& path, const NamedMatrix& matrix)
{
    writeAtomically(path, toCsv(matrix));
}

} // namespace headscope
