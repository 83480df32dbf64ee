#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One token of a template.
struct TemplateToken
{
    enum class Kind {
        Text,
        OutputBegin,
        OutputEnd,
        TagBegin,
        TagEnd,
        Name,
        Integer,
        Float,
        String,
        Sign,
        End
    };

    Kind kind = Kind::End;
    std::string text; ///< The text itself; of a string its value.
    int line = 1;
};

/// Splits a template as Jinja does with trim_blocks and lstrip_blocks (the settings of
/// transformers): the newline after a tag, and blanks before one that begins its line, belong to
/// the tag; "-" takes all white space on its side and "+" none. Comments are left out. Throws
/// FormatError with `name` and the line.
std::vector<TemplateToken> tokenizeTemplate(std::string_view source, const std::string& name);

/// A fault in a template, with its line.
[[noreturn]] void refuseTemplate(const std::string& problem, const std::string& name, int line);

} // namespace headscope
