#include "core/text/tokenizers/token_decoder.h"

#include "core/text/normalizers/normalized_text.h"
#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/tokenizers/byte_tokens.h"

#include <numeric>

namespace headscope {

namespace {

using Texts = std::vector<std::string>;

void replaceAll(std::string& text, std::string_view what, std::string_view with)
{
    if (what.empty())
        return;
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

/// Size with one extra byte each, since a step may insert a space before every token.
std::size_t sizeOf(const Texts& tokens)
{
    return std::accumulate(
        tokens.begin(), tokens.end(), tokens.size(),
        [](std::size_t sum, const std::string& token) { return sum + token.size(); });
}

/// Removes spaces before punctuation and English contractions.
void clean(std::string& text)
{
    constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [what, with] : kPairs)
        replaceAll(text, what, with);
}

Texts withBytes(const Texts& tokens)
{
    Texts result;
    bool afterByte = false;
    for (const std::string& token : tokens) {
        const auto byte = ByteTokens::byteOf(token);
        if (byte && afterByte)
            result.back() += *byte;
        else
            result.push_back(byte ? std::string(1, *byte) : token);
        afterByte = byte.has_value();
    }
    return result;
}

std::string replaced(const std::string& token, const TextPattern& pattern,
                     const std::string& content)
{
    std::string result;
    for (const auto& segment : pattern.segments(token)) {
        result += segment.isMatch
                      ? content
                      : token.substr(segment.bytes.begin, segment.bytes.end - segment.bytes.begin);
        checkGrowth(result.size(), token.size());
    }
    return result;
}

} // namespace

TokenDecoder decoderSequence(std::vector<TokenDecoder> steps)
{
    return [steps = std::move(steps)](Texts tokens) {
        const std::size_t original = sizeOf(tokens);
        for (const TokenDecoder& step : steps) {
            tokens = step(std::move(tokens));
            checkGrowth(sizeOf(tokens), original);
        }
        return tokens;
    };
}

TokenDecoder byteLevelDecoder()
{
    return [](Texts tokens) {
        for (std::string& token : tokens)
            token = fromByteSymbols(token).value_or(token);
        return tokens;
    };
}

TokenDecoder byteFallbackDecoder()
{
    return withBytes;
}

TokenDecoder fuseDecoder()
{
    return [](const Texts& tokens) {
        std::string all;
        for (const std::string& token : tokens)
            all += token;
        return Texts{all};
    };
}

TokenDecoder metaspaceDecoder(std::string mark, bool hasPrefix)
{
    return [mark = std::move(mark), hasPrefix](Texts tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replaceAll(tokens[i], mark, i == 0 && hasPrefix ? "" : " ");
        return tokens;
    };
}

TokenDecoder wordPieceDecoder(std::string mark, bool cleans)
{
    return [mark = std::move(mark), cleans](Texts tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0 && tokens[i].starts_with(mark))
                tokens[i].erase(0, mark.size());
            else if (i > 0)
                tokens[i].insert(0, 1, ' ');
            if (cleans)
                clean(tokens[i]);
        }
        return tokens;
    };
}

TokenDecoder stripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd)
{
    return [character = std::move(character), atBegin, atEnd](Texts tokens) {
        for (std::string& token : tokens) {
            std::string_view left = token;
            for (std::size_t i = 0; i < atBegin && left.starts_with(character); ++i)
                left.remove_prefix(character.size());
            for (std::size_t i = 0; i < atEnd && left.ends_with(character); ++i)
                left.remove_suffix(character.size());
            token = std::string(left);
        }
        return tokens;
    };
}

TokenDecoder replaceDecoder(TextPattern pattern, std::string content)
{
    return [pattern = std::move(pattern), content = std::move(content)](Texts tokens) {
        for (std::string& token : tokens)
            token = replaced(token, pattern, content);
        return tokens;
    };
}

TokenDecoder pieceDecoder(bool hasPrefix, bool removesSpaces)
{
    return [hasPrefix, removesSpaces](Texts tokens) {
        bool atBegin = hasPrefix;
        for (std::string& token : tokens) {
            if (atBegin && token.starts_with(kPieceSpace))
                token.erase(0, kPieceSpace.size());
            atBegin = atBegin && removesSpaces && token.empty();
            replaceAll(token, kPieceSpace, " ");
        }
        return tokens;
    };
}

} // namespace headscope
