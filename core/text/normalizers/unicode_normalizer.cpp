#include "core/text/normalizers/unicode_normalizer.h"

#include "core/base/error.h"
#include "core/text/normalizers/text_normalizer.h"
#include "core/text/utf8.h"

#include <unicode/unistr.h>
#include <unicode/unorm2.h>

#include <algorithm>

namespace headscope {

namespace {

const UNormalizer2& tablesOf(UnicodeForm form)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* found = nullptr;
    switch (form) {
    case UnicodeForm::Nfc:
        found = unorm2_getNFCInstance(&status);
        break;
    case UnicodeForm::Nfd:
        found = unorm2_getNFDInstance(&status);
        break;
    case UnicodeForm::Nfkc:
        found = unorm2_getNFKCInstance(&status);
        break;
    case UnicodeForm::Nfkd:
        found = unorm2_getNFKDInstance(&status);
        break;
    }
    if (U_FAILURE(status))
        throw Error("the Unicode tables cannot be read", "unicodeNormalizer", "Reinstall ICU");
    return *found;
}

/// Appends a sequence; an empty one stands for a byte of invalid UTF-8.
void appendRun(const UNormalizer2& tables, const NormalizedText& text, ByteRange bytes,
               const icu::UnicodeString& run, NormalizedText& result)
{
    UErrorCode status = U_ZERO_ERROR;
    if (run.isEmpty() ||
        unorm2_isNormalized(&tables, run.getBuffer(), run.length(), &status) != 0) {
        result.append(text, bytes);
        return;
    }
    std::vector<UChar> units(static_cast<std::size_t>(run.length()) * 18 + 16);
    const std::int32_t length =
        unorm2_normalize(&tables, run.getBuffer(), run.length(), units.data(),
                         static_cast<std::int32_t>(units.size()), &status);
    if (U_FAILURE(status))
        throw Error("a text cannot be normalised", "unicodeNormalizer");
    const ByteRange from = text.sourceOf(bytes);
    for (std::int32_t i = 0; i < length;) {
        UChar32 c = 0;
        U16_NEXT(units, i, length, c);
        result.append(static_cast<char32_t>(c), from);
    }
}

/// Normalises sequences of characters that do not interact with others. The result of a sequence
/// stands for all of its bytes.
NormalizedText normalised(const UNormalizer2& tables, const NormalizedText& text)
{
    const auto isAscii = [](char byte) { return (byte & 0x80) == 0; };
    if (std::ranges::all_of(text.text, isAscii))
        return text;
    NormalizedText result;
    std::size_t begin = 0;
    icu::UnicodeString run;
    const auto endRun = [&](std::size_t end) {
        if (end > begin)
            appendRun(tables, text, {begin, end}, run, result);
        run.remove();
        begin = end;
    };
    for (std::size_t at = 0; at < text.text.size();) {
        const Utf8Character character = utf8CharacterAt(text.text, at);
        const auto c = static_cast<UChar32>(character.codePoint);
        if (!character.valid || unorm2_hasBoundaryBefore(&tables, c) != 0)
            endRun(at);
        at += character.length;
        if (character.valid)
            run.append(c);
        else
            endRun(at);
    }
    endRun(text.text.size());
    return result;
}

} // namespace

TextNormalizer unicodeNormalizer(UnicodeForm form)
{
    return
        [&tables = tablesOf(form)](const NormalizedText& text) { return normalised(tables, text); };
}

} // namespace headscope
