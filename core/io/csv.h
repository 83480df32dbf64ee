#pragma once

#include "core/tensor/tensor.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A matrix with the names of its rows and columns. Rows and columns without a name are numbered.
struct NamedMatrix
{
    std::vector<std::string> rows;    ///< Row names in UTF-8.
    std::vector<std::string> columns; ///< Column names in UTF-8.
    TensorView values;                ///< Values [rows, columns].
};

/// Shortest digits that read back as the same float; "nan", "inf", "-inf".
std::string exactNumber(float value);

/// Quotes a field where RFC 4180 requires it.
std::string csvField(std::string_view text);

/// Comma-separated values (RFC 4180) in UTF-8: a line of column names, then one line per row,
/// beginning with its name.
std::string toCsv(const NamedMatrix& matrix);

/// Writes atomically; throws Error.
void saveCsv(const std::filesystem::path& path, const NamedMatrix& matrix);

} // namespace headscope
