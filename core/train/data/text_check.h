#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Throws FormatError with the byte where it stops being text: a byte 0, as in binary files and
/// UTF-16, or bytes that are not UTF-8. Throws Error for a text of nothing but one character and
/// white space.
void requireText(std::string_view text, const std::string& where);

/// Throws Error when the training part of a text is shorter than one batch.
void requireBatch(std::int64_t tokens, std::int64_t rows, std::int64_t length,
                  const std::string& where);

} // namespace headscope
