#include "core/text/normalizers/text_normalizer.h"

#include "core/text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>

namespace headscope {

namespace {

/// Calls body(character, its bytes) for every character of a text.
template<class Body>
void forCharacters(std::string_view text, const Body& body)
{
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        body(character, ByteRange{at, at + character.length});
        at += character.length;
    }
}

bool isSpace(const Utf8Character& character)
{
    return character.valid && u_isUWhiteSpace(static_cast<UChar32>(character.codePoint)) != 0;
}

/// False when the character is already lower case.
bool appendLowered(char32_t codePoint, ByteRange from, NormalizedText& result)
{
    std::array<UChar, 2> one{};
    std::array<UChar, 8> units{};
    std::int32_t size = 0;
    U16_APPEND_UNSAFE(one, size, static_cast<UChar32>(codePoint));
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length = u_strToLower(units.data(), static_cast<std::int32_t>(units.size()),
                                             one.data(), size, "", &status);
    if (U_FAILURE(status) ||
        std::equal(one.begin(), one.begin() + size, units.begin(), units.begin() + length))
        return false;
    for (std::int32_t i = 0; i < length;) {
        UChar32 c = 0;
        U16_NEXT(units, i, length, c);
        result.append(static_cast<char32_t>(c), from);
    }
    return true;
}

NormalizedText lowercased(const NormalizedText& text)
{
    NormalizedText result;
    forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
        if (!character.valid || !appendLowered(character.codePoint, text.sourceOf(bytes), result))
            result.append(text, bytes);
    });
    return result;
}

NormalizedText withoutAccents(const NormalizedText& text)
{
    NormalizedText result;
    forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
        const auto c = static_cast<UChar32>(character.codePoint);
        if (!character.valid || (U_GET_GC_MASK(c) & U_GC_M_MASK) == 0)
            result.append(text, bytes);
    });
    return result;
}

NormalizedText stripped(const NormalizedText& text, bool left, bool right)
{
    ByteRange kept{text.text.size(), 0}; // range from the first to the last character that is kept
    forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
        if (isSpace(character))
            return;
        kept.begin = std::min(kept.begin, bytes.begin);
        kept.end = bytes.end;
    });
    kept.end = std::max(kept.begin, kept.end);
    NormalizedText result;
    const bool nothing = kept.begin == kept.end && (left || right);
    if (!nothing)
        result.append(text, {left ? kept.begin : 0, right ? kept.end : text.text.size()});
    return result;
}

/// True for characters that SentencePiece's rules for machine translation remove.
bool isRemoved(char32_t c)
{
    return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
           c == 0x8F || c == 0x9F;
}

bool becomesSpace(char32_t c)
{
    constexpr std::array<char32_t, 10> kSpaces{0x09,   0x0A,   0x0C,   0x0D,   0x1680,
                                               0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD};
    return (c >= 0x200B && c <= 0x200F) || std::ranges::find(kSpaces, c) != kSpaces.end();
}

NormalizedText withoutControls(const NormalizedText& text)
{
    NormalizedText result;
    forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
        const char32_t c = character.codePoint;
        if (character.valid && isRemoved(c))
            return;
        if (character.valid && becomesSpace(c))
            result.append(" ", text.sourceOf(bytes));
        else
            result.append(text, bytes);
    });
    return result;
}

} // namespace

TextNormalizer normalizerSequence(std::vector<TextNormalizer> steps)
{
    return [steps = std::move(steps)](const NormalizedText& text) {
        NormalizedText result = text;
        for (const TextNormalizer& step : steps) {
            result = step(result);
            checkGrowth(result.text.size(), text.text.size());
        }
        return result;
    };
}

TextNormalizer bertNormalizer(const BertNormalization& settings)
{
    return [settings](const NormalizedText& text) {
        return composed(text, normalizeForBert(text.text, settings));
    };
}

TextNormalizer lowercaseNormalizer()
{
    return lowercased;
}

TextNormalizer stripAccentsNormalizer()
{
    return withoutAccents;
}

TextNormalizer stripNormalizer(bool left, bool right)
{
    return [=](const NormalizedText& text) { return stripped(text, left, right); };
}

TextNormalizer replaceNormalizer(TextPattern pattern, std::string content)
{
    return
        [pattern = std::move(pattern), content = std::move(content)](const NormalizedText& text) {
            NormalizedText result;
            for (const auto& segment : pattern.segments(text.text)) {
                if (segment.isMatch)
                    result.append(content, text.placeOf(segment.bytes));
                else
                    result.append(text, segment.bytes);
                checkGrowth(result.text.size(), text.text.size());
            }
            return result;
        };
}

TextNormalizer prependNormalizer(std::string prefix)
{
    return [prefix = std::move(prefix)](const NormalizedText& text) {
        NormalizedText result;
        if (text.text.empty())
            return result;
        result.append(prefix, text.placeOf({}));
        result.append(text, {0, text.text.size()});
        return result;
    };
}

TextNormalizer nmtNormalizer()
{
    return withoutControls;
}

} // namespace headscope
