#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A piece of running text.
struct TextSpan
{
    enum class Kind {
        Plain,
        Strong,   ///< **bold**
        Emphasis, ///< *italic*
        Code,     ///< `as typed`
        Formula,  ///< $LaTeX$
        Link,     ///< [words](target): "lesson:softmax", "term:softmax", "page:overview"
    };

    Kind kind = Kind::Plain;
    std::string text;
    std::string target; ///< of a link

    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

struct TextBlock
{
    enum class Kind { Paragraph, Item, Formula }; ///< "- item"; $$LaTeX$$ on a line of its own

    Kind kind = Kind::Paragraph;
    std::vector<TextSpan> spans;

    friend bool operator==(const TextBlock&, const TextBlock&) = default;
};

/// The Markdown that lessons are written in: paragraphs, "- " lists, bold, italic, code, formulas,
/// links; "\" before a mark takes it as it is. Throws Error for what is opened and not closed.
std::vector<TextBlock> parseLessonText(std::string_view text);

/// Without any marks, formulas as LaTeX: for a terminal.
std::string plainText(const std::vector<TextBlock>& blocks);

} // namespace headscope
