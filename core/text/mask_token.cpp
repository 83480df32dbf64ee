#include "core/text/mask_token.h"

#include "core/base/error.h"

#include <algorithm>
#include <string_view>

namespace headscope {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kContinuation = "##"; ///< WordPiece.

bool isSpace(char byte)
{
    return kSpaces.find(byte) != std::string_view::npos;
}

/// White space at the beginning of a range.
std::string leadingSpaces(std::string_view text)
{
    return std::string(text.substr(0, std::min(text.find_first_not_of(kSpaces), text.size())));
}

} // namespace

std::optional<TokenId> maskToken(const Tokenizer& tokenizer)
{
    for (const char* name : {"[MASK]", "<mask>"})
        if (const auto id = tokenizer.find(name))
            return id;
    return std::nullopt;
}

TextEdit maskedEdit(const TokenSequence& text, ByteRange bytes, const Tokenizer& tokenizer)
{
    const auto mask = maskToken(tokenizer);
    if (!mask)
        throw Error("the vocabulary has no mask token", "maskedEdit",
                    "Choose an encoder with a token [MASK] or <mask>");
    const std::string_view token =
        std::string_view(text.text).substr(bytes.begin, bytes.end - bytes.begin);
    return {bytes, leadingSpaces(token) + tokenizer.tokenText(*mask)};
}

TextEdit filledEdit(const TokenSequence& text, ByteRange bytes, TokenId id,
                    const Tokenizer& tokenizer)
{
    std::string word = tokenizer.tokenBytes(id);
    const bool isWordPiece = tokenizer.kind() == "wordpiece";
    const bool continues = isWordPiece && tokenizer.tokenText(id).starts_with(kContinuation);
    const auto before = [&] { return bytes.begin > 0 ? text.text[bytes.begin - 1] : ' '; };
    if (isWordPiece && !continues && !isSpace(before()))
        word.insert(0, " ");
    else if (!isWordPiece && bytes.begin > 0 && isSpace(before()) && word.starts_with(' '))
        word.erase(0, 1);
    while (continues && bytes.begin > 0 && isSpace(before()))
        --bytes.begin;
    return {bytes, word};
}

} // namespace headscope
