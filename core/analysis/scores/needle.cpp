#include "core/analysis/scores/needle.h"

#include "core/base/text_parts.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Placeholder for a token that is no part of a needle; ids are not negative.
constexpr TokenId kNoToken = -1;

/// Length of the end mark at `position`: ASCII, or the full stops of Chinese and Japanese.
std::size_t endMark(std::string_view text, std::size_t position)
{
    for (const std::string_view mark : {".", "!", "?", "\n", "\u3002", "\uFF01", "\uFF1F"})
        if (text.substr(position).starts_with(mark))
            return mark.size();
    return 0;
}

std::vector<std::string_view> sentencesOf(std::string_view text)
{
    std::vector<std::string_view> sentences;
    const auto add = [&sentences](std::string_view part) {
        if (const std::string_view sentence = trimmedText(part); sentence.size() > 1)
            sentences.push_back(sentence);
    };
    std::size_t begin = 0;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t mark = endMark(text, position);
        position += std::max<std::size_t>(mark, 1);
        if (mark == 0)
            continue;
        add(text.substr(begin, position - begin));
        begin = position;
    }
    add(text.substr(begin));
    return sentences;
}

/// True if the head's largest weight at `query` is within the needle, on `token`.
bool copies(TensorView pattern, std::int64_t query, const Needle& needle, TokenId token)
{
    float onToken = 0.0F;
    float elsewhere = 0.0F;
    const auto size = static_cast<std::int64_t>(needle.tokens.size());
    for (std::int64_t key = 0; key < pattern.shape[1]; ++key) {
        const std::int64_t within = key - needle.original;
        const bool isToken = within >= 0 && within < size &&
                             needle.tokens[static_cast<std::size_t>(within)] == token;
        float& largest = isToken ? onToken : elsewhere;
        largest = std::max(largest, pattern(query, key));
    }
    return onToken > elsewhere;
}

} // namespace

std::optional<Needle> findNeedle(std::span<const TokenId> ids)
{
    const std::size_t tokens = ids.size();
    // Length of the common span that ends before i and at the present end; index i, from 0.
    std::vector<std::size_t> common(tokens + 1);
    std::size_t longest = 0;
    std::size_t original = 0;
    std::size_t copy = 0;
    for (std::size_t end = 0; end < tokens; ++end) {
        std::size_t longestHere = 0;
        for (std::size_t i = end; i > 0; --i) {
            const bool isSame = ids[i - 1] == ids[end] && ids[end] != kNoToken;
            common[i] = isSame ? common[i - 1] + 1 : 0;
            const std::size_t size = std::min(common[i], end + 1 - i); // without overlap
            if (size <= longestHere || size < longest)
                continue;
            longest = longestHere = size;
            original = i - size;
            copy = end + 1 - size;
        }
    }
    if (longest < static_cast<std::size_t>(kFewestNeedleTokens))
        return std::nullopt;
    const std::span<const TokenId> span = ids.subspan(original, longest);
    return Needle{static_cast<std::int64_t>(original),
                  static_cast<std::int64_t>(copy),
                  {span.begin(), span.end()}};
}

std::optional<Needle> findNeedle(const TokenSequence& tokens)
{
    std::vector<TokenId> ids = tokens.ids();
    for (std::size_t index = 0; index < ids.size(); ++index)
        if (tokens.tokens[index].special || tokens.tokens[index].turn == kTemplateTurn)
            ids[index] = kNoToken;
    return findNeedle(ids);
}

double retrievalScore(TensorView pattern, const Needle& needle)
{
    int copied = 0;
    for (std::size_t index = 1; index < needle.tokens.size(); ++index) {
        const std::int64_t query = needle.copy + static_cast<std::int64_t>(index) - 1;
        copied += copies(pattern, query, needle, needle.tokens[index]) ? 1 : 0;
    }
    return copied / static_cast<double>(needle.tokens.size() - 1);
}

std::string withNeedle(std::string_view text, double depth)
{
    const std::vector<std::string_view> sentences = sentencesOf(text);
    if (sentences.empty())
        return {};
    const std::size_t choices = std::max<std::size_t>(sentences.size() - 1, 1);
    const double place = std::clamp(depth, 0.0, 1.0) * static_cast<double>(choices - 1);
    const std::string_view needle = sentences[static_cast<std::size_t>(std::lround(place))];
    return std::string(trimmedText(text)) + ' ' + std::string(needle);
}

} // namespace headscope
