#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A pattern searched for by a tokenizer: a regular expression or plain text. Thread-safe.
class TextPattern
{
public:
    /// Compiles an expression with the semantics of the Oniguruma library of Hugging Face
    /// tokenizers: \s and \S by the Unicode property, ^ and $ at every line. Throws FormatError,
    /// naming `where`.
    static TextPattern regex(const std::string& expression, const std::string& where);

    static TextPattern literal(std::string text);

    struct Segment
    {
        ByteRange bytes;
        bool isMatch = false;
    };

    /// Matches and the segments between them, without gaps. A match may be empty, the other
    /// segments are not. Throws FormatError when the expression takes too many steps for a text.
    std::vector<Segment> segments(std::string_view text) const;

private:
    struct Compiled;

    std::vector<Segment> literalSegments(std::string_view text) const;

    std::string m_literal;
    std::shared_ptr<const Compiled> m_compiled;
};

} // namespace headscope
