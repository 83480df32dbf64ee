#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What a tokenizer looks for in a text: a regular expression or plain text. Any thread may use it.
class TextPattern
{
public:
    /// As the Oniguruma library of Hugging Face tokenizers reads it: \s and \S by the Unicode
    /// property, ^ and $ at every line. Throws FormatError, which names `where`.
    static TextPattern regex(const std::string& expression, const std::string& where);

    static TextPattern literal(std::string text);

    struct Segment
    {
        ByteRange bytes;
        bool isMatch = false;
    };

    /// Matches and what lies between them, without gaps. A match may be empty, the rest is not.
    /// Throws FormatError when the expression takes too many steps for a text.
    std::vector<Segment> segments(std::string_view text) const;

private:
    struct Compiled;

    std::vector<Segment> literalSegments(std::string_view text) const;

    std::string m_literal;
    std::shared_ptr<const Compiled> m_compiled;
};

} // namespace headscope
