#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Text without the spaces at both ends.
std::string_view trimmedText(std::string_view text, std::string_view spaces = " \t\r\n");

/// Text with the capital letters A to Z in lower case.
std::string asciiLower(std::string_view text);

/// Lines without their line feeds; the last line may lack one.
std::vector<std::string_view> linesIn(std::string_view text);

/// Parts that are separated by one or more spaces.
std::vector<std::string_view> spacedWords(std::string_view text);

} // namespace headscope
