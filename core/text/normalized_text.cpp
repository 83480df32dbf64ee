#include "core/text/normalized_text.h"

#include <unicode/utf8.h>

namespace headscope {

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

} // namespace headscope
