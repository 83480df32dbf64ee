#pragma once

#include "core/text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A text as a tokenizer reads it, and which bytes of the original each of its bytes stands for.
struct NormalizedText
{
    std::string text;
    std::vector<ByteRange> source; ///< of each byte of text

    void append(std::string_view bytes, ByteRange from);
    void append(char32_t codePoint, ByteRange from);

    /// Bytes of the original behind [begin, end) of the text, which is not empty.
    ByteRange sourceOf(ByteRange range) const
    {
        return {source[range.begin].begin, source[range.end - 1].end};
    }
};

} // namespace headscope
