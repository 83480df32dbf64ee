#include "core/text/normalizers/charsmap_normalizer.h"

#include "core/base/error.h"
#include "core/text/normalizers/text_normalizer.h"
#include "core/text/utf8.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::string_view kReplacementText = "\uFFFD";
/// Size in bytes of a character that is looked up as a whole.
constexpr std::size_t kLongestWhole = 5;

/// Boundaries of user-perceived characters (extended grapheme clusters).
class GraphemeEnds
{
public:
    explicit GraphemeEnds(std::string_view text)
    {
        UErrorCode status = U_ZERO_ERROR;
        m_iterator.reset(
            icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
        utext_openUTF8(&m_view, text.data(), static_cast<std::int64_t>(text.size()), &status);
        if (U_SUCCESS(status))
            m_iterator->setText(&m_view, status);
        if (U_FAILURE(status))
            throw Error("the Unicode tables cannot be read", "charsMapNormalizer", "Reinstall ICU");
        m_iterator->first();
    }

    ~GraphemeEnds()
    {
        m_iterator.reset();
        utext_close(&m_view);
    }

    GraphemeEnds(const GraphemeEnds&) = delete;
    GraphemeEnds& operator=(const GraphemeEnds&) = delete;

    std::size_t next(std::size_t otherwise)
    {
        const std::int32_t end = m_iterator->next();
        return end == icu::BreakIterator::DONE ? otherwise : static_cast<std::size_t>(end);
    }

private:
    UText m_view = UTEXT_INITIALIZER;
    std::unique_ptr<icu::BreakIterator> m_iterator;
};

void appendGrapheme(const CharsMap& map, const NormalizedText& text, ByteRange bytes,
                    NormalizedText& result)
{
    const std::string_view grapheme = text.part(bytes);
    if (grapheme.size() <= kLongestWhole) {
        if (const auto match = map.shortestPrefix(grapheme)) {
            result.append(match->replacement, text.sourceOf(bytes));
            return;
        }
    }
    for (std::size_t at = bytes.begin; at < bytes.end;) {
        const Utf8Character character = utf8CharacterAt(text.text, at);
        const ByteRange one{at, at + character.length};
        const auto match = map.shortestPrefix(character.valid ? text.part(one) : kReplacementText);
        if (match)
            result.append(match->replacement, text.sourceOf(one));
        else
            result.append(text, one);
        at = one.end;
    }
}

} // namespace

TextNormalizer charsMapNormalizer(CharsMap map)
{
    return [map = std::move(map)](const NormalizedText& text) {
        NormalizedText result;
        GraphemeEnds ends(text.text);
        for (std::size_t begin = 0; begin < text.text.size();) {
            const std::size_t end = std::max(ends.next(text.text.size()), begin + 1);
            appendGrapheme(map, text, {begin, end}, result);
            checkGrowth(result.text.size(), text.text.size());
            begin = end;
        }
        return result;
    };
}

} // namespace headscope
