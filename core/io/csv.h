#pragma once

#include "core/tensor/tensor.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A matrix with the names of its rows and columns. Names may be fewer than rows and columns;
/// numbers stand for the others.
struct NamedMatrix
{
    std::vector<std::string> rows;    ///< UTF-8
    std::vector<std::string> columns; ///< UTF-8
    TensorView values;                ///< [rows, columns]
};

/// The shortest digits that read back as the same float; "nan", "inf", "-inf".
std::string exactNumber(float value);

/// In quotes where RFC 4180 wants them.
std::string csvField(std::string_view text);

/// Comma-separated values (RFC 4180) in UTF-8: a line of column names, then a line a row that
/// begins with its name.
std::string toCsv(const NamedMatrix& matrix);

/// Written atomically; throws Error.
void saveCsv(const std::filesystem::path& path, const NamedMatrix& matrix);

} // namespace headscope
