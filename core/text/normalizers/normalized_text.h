#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A text as a tokenizer reads it, and which bytes of the original each of its bytes stands for.
struct NormalizedText
{
    std::string text;
    std::vector<ByteRange> source; ///< of each byte of text

    /// A text that stands for itself and begins at byte `offset` of the original.
    static NormalizedText of(std::string_view text, std::size_t offset = 0);

    void append(std::string_view bytes, ByteRange from);
    void append(char32_t codePoint, ByteRange from);

    /// Bytes of another text with what they stand for.
    void append(const NormalizedText& other, ByteRange range);

    /// Bytes of the original behind [begin, end) of the text, which is not empty.
    ByteRange sourceOf(ByteRange range) const
    {
        return {source[range.begin].begin, source[range.end - 1].end};
    }

    /// As sourceOf; for an empty range the place in the original, without bytes.
    ByteRange placeOf(ByteRange range) const;

    std::string_view part(ByteRange range) const
    {
        return std::string_view(text).substr(range.begin, range.end - range.begin);
    }
};

/// Throws Error when what was made of `original` bytes is longer than any language needs: a
/// stranger's rules must not fill the memory.
void checkGrowth(std::size_t size, std::size_t original);

/// `second` was made of `first.text`: what its bytes stand for in the original of `first`.
NormalizedText composed(const NormalizedText& first, NormalizedText second);

} // namespace headscope
