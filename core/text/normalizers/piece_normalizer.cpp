#include "core/text/normalizers/piece_normalizer.h"

#include "core/base/error.h"
#include "core/text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <array>

namespace headscope {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// A character after normalising, and the offset of its source in the text.
struct Piece
{
    char32_t codePoint;
    std::size_t from;
};

bool isRemoved(char32_t c)
{
    return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
           c == 0x8F || c == 0x9F;
}

/// White space that NFKC leaves unchanged.
bool isOddSpace(char32_t c)
{
    constexpr std::array<char32_t, 13> kSpaces{0x09,   0x0A,   0x0C,        0x0D,   0x1680,
                                               0x200B, 0x200E, 0x200F,      0x2028, 0x2029,
                                               0x2581, 0xFEFF, kReplacement};
    return std::ranges::find(kSpaces, c) != kSpaces.end();
}

const UNormalizer2& nfkc()
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* normalizer = unorm2_getNFKCInstance(&status);
    if (U_FAILURE(status))
        throw Error("the Unicode tables cannot be read", "normalizeForPieces", "Reinstall ICU");
    return *normalizer;
}

/// Appends characters that may only be normalised together: a starter and what joins it.
void appendSegment(const icu::UnicodeString& segment, std::size_t from, std::vector<Piece>& pieces)
{
    std::vector<UChar> units(static_cast<std::size_t>(segment.length()) * 18 + 16);
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length =
        unorm2_normalize(&nfkc(), segment.getBuffer(), segment.length(), units.data(),
                         static_cast<std::int32_t>(units.size()), &status);
    if (U_FAILURE(status))
        throw Error("a text cannot be normalised", "normalizeForPieces");
    for (std::int32_t i = 0; i < length;) {
        UChar32 c = 0;
        U16_NEXT(units, i, length, c);
        pieces.push_back({static_cast<char32_t>(c), from});
    }
}

std::vector<Piece> normalized(std::string_view text)
{
    std::vector<Piece> pieces;
    icu::UnicodeString segment;
    std::size_t segmentBegin = 0;
    const auto endSegment = [&] {
        if (!segment.isEmpty())
            appendSegment(segment, segmentBegin, pieces);
        segment.remove();
    };
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        const char32_t c = character.valid ? character.codePoint : kReplacement;
        if (isRemoved(c) || isOddSpace(c)) {
            endSegment();
            if (isOddSpace(c))
                pieces.push_back({' ', at});
        } else {
            if (unorm2_hasBoundaryBefore(&nfkc(), static_cast<UChar32>(c)) != 0) {
                endSegment();
                segmentBegin = at;
            } else if (segment.isEmpty()) {
                segmentBegin = at;
            }
            segment.append(static_cast<UChar32>(c));
        }
        at += character.length;
    }
    endSegment();
    return pieces;
}

std::vector<Piece> asTheyAre(std::string_view text)
{
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        pieces.push_back({character.valid ? character.codePoint : kReplacement, at});
        at += character.length;
    }
    return pieces;
}

bool isSpace(const Piece& piece)
{
    return piece.codePoint == ' ';
}

/// Number of bytes before the first character that is no space, as SentencePiece counts them:
/// removed characters and those that begin with a space after normalising are none.
std::size_t spacesAtBegin(std::string_view text, const std::vector<Piece>& pieces)
{
    std::size_t reached = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool isWhole = i + 1 == pieces.size() || pieces[i + 1].from != pieces[i].from;
        if (!isSpace(pieces[i]) || !isWhole || pieces[i].from != reached)
            break;
        reached += utf8CharacterAt(text, reached).length;
    }
    return reached;
}

/// Removes the spaces at both ends and all but the first of several; returns the remaining bytes of
/// the text.
ByteRange removeSpaces(std::string_view text, std::vector<Piece>& pieces)
{
    ByteRange left{spacesAtBegin(text, pieces), text.size()};
    pieces.erase(pieces.begin(), std::ranges::find_if_not(pieces, isSpace));
    while (!pieces.empty() && isSpace(pieces.back())) {
        left.end = pieces.back().from;
        pieces.pop_back();
    }
    const auto both = [&](const Piece& a, const Piece& b) { return isSpace(a) && isSpace(b); };
    pieces.erase(std::unique(pieces.begin(), pieces.end(), both), pieces.end());
    return left;
}

} // namespace

NormalizedText normalizeForPieces(std::string_view text, const PieceNormalization& settings)
{
    std::vector<Piece> pieces = settings.nfkc ? normalized(text) : asTheyAre(text);
    const ByteRange left =
        settings.removeSpaces ? removeSpaces(text, pieces) : ByteRange{0, text.size()};
    NormalizedText result;
    if (pieces.empty())
        return result;
    if (settings.addPrefix)
        result.append(kPieceSpace, {left.begin, pieces.front().from});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const ByteRange from{pieces[i].from, i + 1 < pieces.size() ? pieces[i + 1].from : left.end};
        if (pieces[i].codePoint == ' ')
            result.append(kPieceSpace, from);
        else
            result.append(pieces[i].codePoint, from);
    }
    return result;
}

} // namespace headscope
