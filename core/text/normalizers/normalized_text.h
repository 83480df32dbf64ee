#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A normalised text, with the bytes of the original that each of its bytes comes from.
struct NormalizedText
{
    std::string text;
    std::vector<ByteRange> source; ///< Source range of each byte of text.

    /// An unchanged text that begins at byte `offset` of the original.
    static NormalizedText of(std::string_view text, std::size_t offset = 0);

    void append(std::string_view bytes, ByteRange from);
    void append(char32_t codePoint, ByteRange from);

    /// Appends bytes of another text with their sources.
    void append(const NormalizedText& other, ByteRange range);

    /// Bytes of the original for [begin, end) of the text, which is not empty.
    ByteRange sourceOf(ByteRange range) const
    {
        return {source[range.begin].begin, source[range.end - 1].end};
    }

    /// Like sourceOf; for an empty range the position in the original, without bytes.
    ByteRange placeOf(ByteRange range) const;

    std::string_view part(ByteRange range) const
    {
        return std::string_view(text).substr(range.begin, range.end - range.begin);
    }
};

/// Throws Error when a text of `original` bytes has grown more than any language needs: untrusted
/// rules must not exhaust the memory.
void checkGrowth(std::size_t size, std::size_t original);

/// Composes `second`, derived from `first.text`, with `first`, so that its bytes refer to the
/// original of `first`.
NormalizedText composed(const NormalizedText& first, NormalizedText second);

} // namespace headscope
