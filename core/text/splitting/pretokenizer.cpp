#include "core/text/splitting/pretokenizer.h"

#include "core/text/utf8.h"

#include <unicode/uchar.h>

#include <array>

namespace headscope {

namespace {

enum class Class { Letter, Number, Space, Other };

Class classify(char32_t codePoint)
{
    const auto character = static_cast<UChar32>(codePoint);
    const std::uint32_t mask = U_GET_GC_MASK(character);
    if ((mask & U_GC_L_MASK) != 0)
        return Class::Letter;
    if ((mask & U_GC_N_MASK) != 0)
        return Class::Number;
    return u_isUWhiteSpace(character) != 0 ? Class::Space : Class::Other;
}

/// Most text is ASCII, whose classes are looked up.
Class classifyAscii(unsigned char character)
{
    static const std::array<Class, 128> table = [] {
        std::array<Class, 128> classes{};
        for (std::size_t i = 0; i < classes.size(); ++i)
            classes[i] = classify(static_cast<char32_t>(i));
        return classes;
    }();
    return table[character];
}

struct Step
{
    Class kind;
    std::size_t length;
};

Step stepAt(std::string_view text, std::size_t position)
{
    const auto first = static_cast<unsigned char>(text[position]);
    if (first < 0x80)
        return {classifyAscii(first), 1};
    const Utf8Character character = utf8CharacterAt(text, position);
    return {character.valid ? classify(character.codePoint) : Class::Other, character.length};
}

/// End of the sequence of `kind` that contains `position`.
std::size_t endOfRun(std::string_view text, std::size_t position, Class kind)
{
    while (position < text.size()) {
        const Step step = stepAt(text, position);
        if (step.kind != kind)
            break;
        position += step.length;
    }
    return position;
}

std::size_t contractionLength(std::string_view rest)
{
    for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
        if (rest.substr(0, ending.size()) == ending)
            return ending.size();
    }
    return 0;
}

/// Matches \s+(?!\S)|\s+ : spaces up to the end of the text, or all but the last of several.
std::size_t endOfSpaces(std::string_view text, std::size_t begin)
{
    std::size_t last = begin;
    std::size_t position = begin;
    while (position < text.size()) {
        const Step step = stepAt(text, position);
        if (step.kind != Class::Space)
            return last > begin ? last : position;
        last = position;
        position += step.length;
    }
    return position;
}

std::size_t endOfWord(std::string_view text, std::size_t begin)
{
    if (const std::size_t length = contractionLength(text.substr(begin)); length != 0)
        return begin + length;
    const bool leadingSpace = text[begin] == ' ' && begin + 1 < text.size();
    const std::size_t start = leadingSpace ? begin + 1 : begin;
    const Class kind = stepAt(text, start).kind;
    return kind == Class::Space ? endOfSpaces(text, begin) : endOfRun(text, start, kind);
}

} // namespace

std::vector<ByteRange> splitWords(std::string_view text)
{
    std::vector<ByteRange> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = endOfWord(text, begin);
        words.push_back({begin, end});
        begin = end;
    }
    return words;
}

} // namespace headscope
