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

class Sequence final : public TextNormalizer
{
public:
    explicit Sequence(std::vector<NormalizerPtr> steps) : m_steps(std::move(steps)) {}

    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result = text;
        for (const NormalizerPtr& step : m_steps) {
            result = step->apply(result);
            checkGrowth(result.text.size(), text.text.size());
        }
        return result;
    }

private:
    std::vector<NormalizerPtr> m_steps;
};

class Bert final : public TextNormalizer
{
public:
    explicit Bert(const BertNormalization& settings) : m_settings(settings) {}

    NormalizedText apply(const NormalizedText& text) const override
    {
        return composed(text, normalizeForBert(text.text, m_settings));
    }

private:
    BertNormalization m_settings;
};

class Lowercase final : public TextNormalizer
{
public:
    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result;
        forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
            if (!character.valid ||
                !appendLowered(character.codePoint, text.sourceOf(bytes), result))
                result.append(text, bytes);
        });
        return result;
    }

private:
    /// False when the character is already lower case.
    static bool appendLowered(char32_t codePoint, ByteRange from, NormalizedText& result)
    {
        std::array<UChar, 2> one{};
        std::array<UChar, 8> units{};
        std::int32_t size = 0;
        U16_APPEND_UNSAFE(one, size, static_cast<UChar32>(codePoint));
        UErrorCode status = U_ZERO_ERROR;
        const std::int32_t length = u_strToLower(
            units.data(), static_cast<std::int32_t>(units.size()), one.data(), size, "", &status);
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
};

class StripAccents final : public TextNormalizer
{
public:
    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result;
        forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
            const auto c = static_cast<UChar32>(character.codePoint);
            if (!character.valid || (U_GET_GC_MASK(c) & U_GC_M_MASK) == 0)
                result.append(text, bytes);
        });
        return result;
    }
};

class Strip final : public TextNormalizer
{
public:
    Strip(bool left, bool right) : m_left(left), m_right(right) {}

    NormalizedText apply(const NormalizedText& text) const override
    {
        ByteRange kept{text.text.size(),
                       0}; // range from the first to the last character that is kept
        forCharacters(text.text, [&](const Utf8Character& character, ByteRange bytes) {
            if (isSpace(character))
                return;
            kept.begin = std::min(kept.begin, bytes.begin);
            kept.end = bytes.end;
        });
        kept.end = std::max(kept.begin, kept.end);
        NormalizedText result;
        const bool nothing = kept.begin == kept.end && (m_left || m_right);
        if (!nothing)
            result.append(text, {m_left ? kept.begin : 0, m_right ? kept.end : text.text.size()});
        return result;
    }

private:
    bool m_left;
    bool m_right;
};

class Replace final : public TextNormalizer
{
public:
    Replace(TextPattern pattern, std::string content)
        : m_pattern(std::move(pattern))
        , m_content(std::move(content))
    {
    }

    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result;
        for (const auto& segment : m_pattern.segments(text.text)) {
            if (segment.isMatch)
                result.append(m_content, text.placeOf(segment.bytes));
            else
                result.append(text, segment.bytes);
            checkGrowth(result.text.size(), text.text.size());
        }
        return result;
    }

private:
    TextPattern m_pattern;
    std::string m_content;
};

class Prepend final : public TextNormalizer
{
public:
    explicit Prepend(std::string prefix) : m_prefix(std::move(prefix)) {}

    NormalizedText apply(const NormalizedText& text) const override
    {
        NormalizedText result;
        if (text.text.empty())
            return result;
        result.append(m_prefix, text.placeOf({}));
        result.append(text, {0, text.text.size()});
        return result;
    }

private:
    std::string m_prefix;
};

class Nmt final : public TextNormalizer
{
public:
    NormalizedText apply(const NormalizedText& text) const override
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

private:
    static bool isRemoved(char32_t c)
    {
        return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
               c == 0x8F || c == 0x9F;
    }

    static bool becomesSpace(char32_t c)
    {
        constexpr std::array<char32_t, 10> kSpaces{0x09,   0x0A,   0x0C,   0x0D,   0x1680,
                                                   0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD};
        return (c >= 0x200B && c <= 0x200F) || std::ranges::find(kSpaces, c) != kSpaces.end();
    }
};

} // namespace

NormalizerPtr normalizerSequence(std::vector<NormalizerPtr> steps)
{
    return std::make_unique<Sequence>(std::move(steps));
}

NormalizerPtr bertNormalizer(const BertNormalization& settings)
{
    return std::make_unique<Bert>(settings);
}

NormalizerPtr lowercaseNormalizer()
{
    return std::make_unique<Lowercase>();
}

NormalizerPtr stripAccentsNormalizer()
{
    return std::make_unique<StripAccents>();
}

NormalizerPtr stripNormalizer(bool left, bool right)
{
    return std::make_unique<Strip>(left, right);
}

NormalizerPtr replaceNormalizer(TextPattern pattern, std::string content)
{
    return std::make_unique<Replace>(std::move(pattern), std::move(content));
}

NormalizerPtr prependNormalizer(std::string prefix)
{
    return std::make_unique<Prepend>(std::move(prefix));
}

NormalizerPtr nmtNormalizer()
{
    return std::make_unique<Nmt>();
}

} // namespace headscope
