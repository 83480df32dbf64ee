#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope {

/// Running text of Markdown without its marks: bold, italic, code; a link is its words, with the
/// address behind them if it is one of the web.
std::string plainMarkdown(std::string_view text);

/// A Markdown page for a terminal, in lines of at most `columns` characters where words and code
/// allow that: headings underlined, tables aligned, images left out.
std::string terminalText(std::string_view markdown, std::size_t columns = 79);

/// A Markdown page without its images, which are lines that begin with "<picture>".
std::string withoutImages(std::string_view markdown);

} // namespace headscope
