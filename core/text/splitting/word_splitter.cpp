#include "core/text/splitting/word_splitter.h"

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/splitting/word_cuts.h"
#include "core/text/utf8.h"

#include <unicode/uchar.h>

#include <algorithm>

namespace headscope {

namespace {

using Segments = std::vector<TextPattern::Segment>;

bool isPunctuation(char32_t c)
{
    if (c < 0x80)
        return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
               (c >= 123 && c <= 126);
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_P_MASK) != 0;
}

/// Joins a segment with the previous one where `joins` is true for (before, now).
template<class Joins>
std::vector<ByteRange> joined(const Segments& segments, const Joins& joins)
{
    std::vector<ByteRange> parts;
    bool before = false;
    for (const auto& segment : segments) {
        if (!parts.empty() && joins(before, segment.isMatch))
            parts.back().end = segment.bytes.end;
        else
            parts.push_back(segment.bytes);
        before = segment.isMatch;
    }
    return parts;
}

/// Merges a match with the segment after it, unless that is a match too.
std::vector<ByteRange> mergedWithNext(const Segments& segments)
{
    std::vector<ByteRange> parts;
    bool after = false;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        if (segment->isMatch && !after && !parts.empty())
            parts.back().begin = segment->bytes.begin;
        else
            parts.push_back(segment->bytes);
        after = segment->isMatch;
    }
    std::ranges::reverse(parts);
    return parts;
}

std::vector<ByteRange> partsOf(const Segments& segments, SplitBehavior behavior)
{
    switch (behavior) {
    case SplitBehavior::MergedWithPrevious:
        return joined(segments, [](bool before, bool now) { return now && !before; });
    case SplitBehavior::MergedWithNext:
        return mergedWithNext(segments);
    case SplitBehavior::Contiguous:
        return joined(segments, [](bool before, bool now) { return now == before; });
    case SplitBehavior::Removed:
    case SplitBehavior::Isolated:
        break;
    }
    std::vector<ByteRange> parts;
    for (const auto& segment : segments) {
        if (behavior == SplitBehavior::Isolated || !segment.isMatch)
            parts.push_back(segment.bytes);
    }
    return parts;
}

/// Segments of characters that `finds` accepts, one each, and of the others.
Segments segmentsOf(std::string_view word, const std::function<bool(char32_t)>& finds)
{
    Segments result;
    for (std::size_t at = 0; at < word.size();) {
        const Utf8Character character = utf8CharacterAt(word, at);
        const std::size_t end = at + character.length;
        const bool found = character.valid && finds(character.codePoint);
        if (!found && !result.empty() && !result.back().isMatch)
            result.back().bytes.end = end;
        else
            result.push_back({{at, end}, found});
        at = end;
    }
    return result;
}

} // namespace

WordSplitter splitterSequence(std::vector<WordSplitter> steps)
{
    return [steps = std::move(steps)](WordList& list) {
        const std::size_t original = list.text.text.size();
        for (const WordSplitter& step : steps) {
            step(list);
            checkGrowth(list.text.text.size(), original); // marks before words, and words of marks
        }
    };
}

WordSplitter patternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert)
{
    return [pattern = std::move(pattern), behavior, invert](WordList& list) {
        cutWords(list, [&](std::string_view word) {
            Segments segments = pattern.segments(word);
            for (auto& segment : segments)
                segment.isMatch = segment.isMatch != invert;
            return partsOf(segments, behavior);
        });
    };
}

WordSplitter characterSplitter(std::function<bool(char32_t)> finds, SplitBehavior behavior)
{
    return [finds = std::move(finds), behavior](WordList& list) {
        cutWords(list,
                 [&](std::string_view word) { return partsOf(segmentsOf(word, finds), behavior); });
    };
}

WordSplitter whitespaceSplitter()
{
    return patternSplitter(TextPattern::regex("\\w+|[^\\w\\s]+", "the Whitespace pre-tokenizer"),
                           SplitBehavior::Removed, true);
}

WordSplitter spacesSplitter()
{
    const auto isSpace = [](char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; };
    return characterSplitter(isSpace, SplitBehavior::Removed);
}

WordSplitter bertSplitter()
{
    return [](WordList& list) { cutWords(list, splitBertWords); };
}

WordSplitter digitsSplitter(bool eachAlone)
{
    const auto isNumber = [](char32_t c) {
        return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_N_MASK) != 0;
    };
    return characterSplitter(isNumber,
                             eachAlone ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

WordSplitter punctuationSplitter(SplitBehavior behavior)
{
    return characterSplitter(isPunctuation, behavior);
}

} // namespace headscope
