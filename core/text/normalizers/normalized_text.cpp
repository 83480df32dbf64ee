#include "core/text/normalizers/normalized_text.h"

#include "core/base/error.h"

#include <unicode/utf8.h>

#include <fmt/format.h>

namespace headscope {

NormalizedText NormalizedText::of(std::string_view text, std::size_t offset)
{
    NormalizedText result;
    result.text = text;
    result.source.reserve(text.size());
    for (std::size_t at = offset; at < offset + text.size(); ++at)
        result.source.push_back({at, at + 1});
    return result;
}

void NormalizedText::append(std::string_view bytes, ByteRange from)
{
    text += bytes;
    source.insert(source.end(), bytes.size(), from);
}

void NormalizedText::append(char32_t codePoint, ByteRange from)
{
    char bytes[U8_MAX_LENGTH];
    std::size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(codePoint));
    append(std::string_view(bytes, length), from);
}

void NormalizedText::append(const NormalizedText& other, ByteRange range)
{
    text += other.part(range);
    source.insert(source.end(), other.source.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  other.source.begin() + static_cast<std::ptrdiff_t>(range.end));
}

ByteRange NormalizedText::placeOf(ByteRange range) const
{
    if (range.begin < range.end)
        return sourceOf(range);
    if (source.empty())
        return {};
    const std::size_t place =
        range.begin < source.size() ? source[range.begin].begin : source.back().end;
    return {place, place};
}

void checkGrowth(std::size_t size, std::size_t original)
{
    constexpr std::size_t kTimes = 16;
    constexpr std::size_t kAlways = 256;
    if (size > kTimes * original + kAlways)
        throw Error(fmt::format("the tokenizer's rules make a text of {} bytes more than {} times "
                                "longer",
                                original, kTimes),
                    {}, "The tokenizer's file is damaged or not meant for texts");
}

NormalizedText composed(const NormalizedText& first, NormalizedText second)
{
    for (ByteRange& range : second.source)
        range = first.placeOf(range);
    return second;
}

} // namespace headscope
