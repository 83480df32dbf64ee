#include "core/base/text_parts.h"

#include <algorithm>

namespace headscope {

std::string_view trimmedText(std::string_view text, std::string_view spaces)
{
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    return text.substr(0, text.find_last_not_of(spaces) + 1);
}

std::string asciiLower(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

std::vector<std::string_view> linesIn(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

std::vector<std::string_view> spacedWords(std::string_view text)
{
    std::vector<std::string_view> words;
    for (std::size_t from = text.find_first_not_of(' '); from != std::string_view::npos;) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        words.push_back(text.substr(from, end - from));
        from = text.find_first_not_of(' ', end);
    }
    return words;
}

} // namespace headscope
