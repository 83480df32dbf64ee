#include "core/text/normalizers/bert_normalizer.h"

#include "core/base/error.h"
#include "core/text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>

namespace headscope {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// A character being normalised, and the bytes of the text that it comes from.
struct Piece
{
    char32_t codePoint;
    ByteRange from;
};

using Pieces = std::vector<Piece>;

bool isSpace(char32_t c)
{
    return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool isDropped(char32_t c)
{
    const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
    return c == 0 || c == kReplacement ||
           (mask & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK)) != 0;
}

/// True for the blocks of CJK Unified Ideographs that BERT's code lists; Japanese kana and Korean
/// letters are not among them.
bool isCjk(char32_t c)
{
    constexpr std::array<std::pair<char32_t, char32_t>, 8> kBlocks{{{0x4E00, 0x9FFF},
                                                                    {0x3400, 0x4DBF},
                                                                    {0x20000, 0x2A6DF},
                                                                    {0x2A700, 0x2B73F},
                                                                    {0x2B740, 0x2B81F},
                                                                    {0x2B820, 0x2CEAF},
                                                                    {0xF900, 0xFAFF},
                                                                    {0x2F800, 0x2FA1F}}};
    return std::ranges::any_of(
        kBlocks, [c](const auto& block) { return c >= block.first && c <= block.second; });
}

bool isPunctuation(char32_t c)
{
    if (c < 0x80)
        return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
               (c >= 123 && c <= 126);
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_P_MASK) != 0;
}

Pieces charactersOf(std::string_view text)
{
    Pieces pieces;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        pieces.push_back(
            {character.valid ? character.codePoint : kReplacement, {at, at + character.length}});
        at += character.length;
    }
    return pieces;
}

Pieces cleaned(const Pieces& pieces)
{
    Pieces result;
    for (const Piece& piece : pieces) {
        if (piece.codePoint == '\t' || piece.codePoint == '\n' || piece.codePoint == '\r')
            result.push_back({' ', piece.from});
        else if (!isDropped(piece.codePoint))
            result.push_back({isSpace(piece.codePoint) ? U' ' : piece.codePoint, piece.from});
    }
    return result;
}

Pieces spaced(const Pieces& pieces)
{
    Pieces result;
    for (const Piece& piece : pieces) {
        if (!isCjk(piece.codePoint)) {
            result.push_back(piece);
            continue;
        }
        result.push_back({' ', {piece.from.begin, piece.from.begin}});
        result.push_back(piece);
        result.push_back({' ', {piece.from.end, piece.from.end}});
    }
    return result;
}

/// Appends the UTF-16 mapping of one character, as characters.
void appendUtf16(const UChar* units, std::int32_t length, ByteRange from, Pieces& result)
{
    for (std::int32_t i = 0; i < length;) {
        UChar32 c = 0;
        U16_NEXT(units, i, length, c);
        result.push_back({static_cast<char32_t>(c), from});
    }
}

/// Applies NFD and removes non-spacing marks (category Mn).
Pieces withoutAccents(const Pieces& pieces)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* nfd = unorm2_getNFDInstance(&status);
    if (U_FAILURE(status))
        throw Error("the Unicode tables cannot be read", "normalizeForBert", "Reinstall ICU");
    Pieces result;
    std::array<UChar, 32> units{};
    for (const Piece& piece : pieces) {
        status = U_ZERO_ERROR;
        const auto c = static_cast<UChar32>(piece.codePoint);
        const std::int32_t length = unorm2_getDecomposition(
            nfd, c, units.data(), static_cast<std::int32_t>(units.size()), &status);
        if (length < 0 || U_FAILURE(status))
            result.push_back(piece);
        else
            appendUtf16(units.data(), length, piece.from, result);
    }
    std::erase_if(result, [](const Piece& piece) {
        return u_charType(static_cast<UChar32>(piece.codePoint)) == U_NON_SPACING_MARK;
    });
    return result;
}

Pieces lowered(const Pieces& pieces)
{
    Pieces result;
    std::array<UChar, 2> one{};
    std::array<UChar, 8> units{};
    for (const Piece& piece : pieces) {
        std::int32_t size = 0;
        U16_APPEND_UNSAFE(one, size, static_cast<UChar32>(piece.codePoint));
        UErrorCode status = U_ZERO_ERROR;
        const std::int32_t length = u_strToLower(
            units.data(), static_cast<std::int32_t>(units.size()), one.data(), size, "", &status);
        if (U_FAILURE(status))
            result.push_back(piece);
        else
            appendUtf16(units.data(), length, piece.from, result);
    }
    return result;
}

} // namespace

NormalizedText normalizeForBert(std::string_view text, const BertNormalization& settings)
{
    Pieces pieces = charactersOf(text);
    if (settings.cleanControls)
        pieces = cleaned(pieces);
    if (settings.spaceCjk)
        pieces = spaced(pieces);
    if (settings.stripAccents)
        pieces = withoutAccents(pieces);
    if (settings.lowerCase)
        pieces = lowered(pieces);
    NormalizedText result;
    for (const Piece& piece : pieces)
        result.append(piece.codePoint, piece.from);
    return result;
}

std::vector<ByteRange> splitBertWords(std::string_view text)
{
    std::vector<ByteRange> words;
    std::size_t begin = 0;
    const auto endWord = [&](std::size_t end) {
        if (end > begin)
            words.push_back({begin, end});
    };
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        const std::size_t next = at + character.length;
        const bool punctuation = isPunctuation(character.codePoint);
        if (punctuation || isSpace(character.codePoint)) {
            endWord(at);
            if (punctuation)
                words.push_back({at, next});
            begin = next;
        }
        at = next;
    }
    endWord(text.size());
    return words;
}

} // namespace headscope
