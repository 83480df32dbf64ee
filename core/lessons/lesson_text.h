#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Span of inline text with one style.
struct TextSpan
{
    enum class Kind {
        Plain,
        Strong,   ///< Bold: **bold**.
        Emphasis, ///< Italic: *italic*.
        Code,     ///< Code: `as typed`.
        Formula,  ///< Inline formula: $LaTeX$.
        Link,     ///< [text](target): "lesson:softmax", "term:softmax", "page:overview".
    };

    Kind kind = Kind::Plain;
    std::string text;
    std::string target; ///< Target of a link.

    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

struct TextBlock
{
    enum class Kind { Paragraph, Item, Formula }; ///< "- item"; $$LaTeX$$ on its own line.

    Kind kind = Kind::Paragraph;
    std::vector<TextSpan> spans;

    friend bool operator==(const TextBlock&, const TextBlock&) = default;
};

/// Parses the Markdown subset of lessons: paragraphs, "- " lists, bold, italic, code, formulas,
/// links; "\" escapes a mark. Throws Error for unclosed marks.
std::vector<TextBlock> parseLessonText(std::string_view text);

/// Plain text without marks, formulas as LaTeX, for a terminal.
std::string plainText(const std::vector<TextBlock>& blocks);

} // namespace headscope
