#include "core/text/text_pair.h"

#include "core/base/error.h"

#include <algorithm>

namespace headscope {

namespace {

bool wasAdded(const Token& token)
{
    return token.special && token.bytes.begin == token.bytes.end;
}

} // namespace

TokenSequence encodePair(const Tokenizer& tokenizer, std::string_view first,
                         std::string_view second)
{
    TokenSequence pair = tokenizer.encode(first);
    if (pair.tokens.size() < 2 || !wasAdded(pair.tokens.front()) || !wasAdded(pair.tokens.back()))
        throw Error("a pair of texts needs a vocabulary that adds tokens before and after a text",
                    "encodePair", "Provide one text, or use a BERT-like model");
    const TokenSequence other = tokenizer.encode(second);
    pair.text += '\n';
    const std::size_t offset = pair.text.size();
    pair.text += other.text;
    const auto begin = std::find_if_not(other.tokens.begin(), other.tokens.end() - 1, wasAdded);
    for (auto token = begin; token != other.tokens.end(); ++token) {
        Token moved = *token;
        if (!wasAdded(moved)) {
            moved.bytes.begin += offset;
            moved.bytes.end += offset;
        }
        pair.tokens.push_back(moved);
    }
    return pair;
}

std::vector<std::int32_t> segmentsOf(const TokenSequence& sequence)
{
    const std::vector<Token>& tokens = sequence.tokens;
    if (tokens.size() < 3 || !tokens.back().special)
        return {};
    const auto isMark = [&](const Token& token) {
        return token.special && token.id == tokens.back().id;
    };
    const auto mark = std::find_if(tokens.begin(), tokens.end() - 1, isMark);
    if (mark == tokens.begin() || mark == tokens.end() - 1)
        return {};
    std::vector<std::int32_t> segments(tokens.size(), 1);
    std::fill(segments.begin(), segments.begin() + (mark - tokens.begin()) + 1, 0);
    return segments;
}

} // namespace headscope
