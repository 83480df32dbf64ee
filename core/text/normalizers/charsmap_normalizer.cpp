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

class CharsMapNormalizer final : public TextNormalizer
{
public:
    explicit CharsMapNormalizer(CharsMap map) : m_map(std::move(map)) {}

    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result;
        GraphemeEnds ends(text.text);
        for (std::size_t begin = 0; begin < text.text.size();) {
            const std::size_t end = std::max(ends.next(text.text.size()), begin + 1);
            appendGrapheme(text, {begin, end}, result);
            checkGrowth(result.text.size(), text.text.size());
            begin = end;
        }
        return result;
    }

private:
    void appendGrapheme(const NormalizedText& text, ByteRange bytes, NormalizedText& result) const
    {
        const std::string_view grapheme = text.part(bytes);
        if (grapheme.size() <= kLongestWhole) {
            if (const auto match = m_map.shortestPrefix(grapheme)) {
                result.append(match->replacement, text.sourceOf(bytes));
                return;
            }
        }
        for (std::size_t at = bytes.begin; at < bytes.end;) {
            const Utf8Character character = utf8CharacterAt(text.text, at);
            const ByteRange one{at, at + character.length};
            const auto match =
                m_map.shortestPrefix(character.valid ? text.part(one) : kReplacementText);
            if (match)
                result.append(match->replacement, text.sourceOf(one));
            else
                result.append(text, one);
            at = one.end;
        }
    }

    CharsMap m_map;
};

} // namespace

NormalizerPtr charsMapNormalizer(CharsMap map)
{
    return std::make_unique<CharsMapNormalizer>(std::move(map));
}

} // namespace headscope
