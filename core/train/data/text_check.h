#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Throws a FormatError that names the first byte that is not text: a zero byte, as in binary files
/// and UTF-16, or invalid UTF-8. Throws Error for a text of a single repeated character and white
/// space.
void requireText(std::string_view text, const std::string& where);

/// Throws Error if the training part of a text is shorter than one batch.
void requireBatch(std::int64_t tokens, std::int64_t rows, std::int64_t length,
                  const std::string& where);

} // namespace headscope
