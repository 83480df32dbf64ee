#include "core/text/files/vocabulary_text.h"

#include "core/base/error.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "core/text/utf8.h"

#include <unicode/uchar.h>

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Trims the white space at the end, as Hugging Face tokenizers does.
std::string_view trimmedLine(std::string_view line)
{
    std::size_t kept = 0;
    for (std::size_t at = 0; at < line.size();) {
        const Utf8Character character = utf8CharacterAt(line, at);
        at += character.length;
        if (!character.valid || u_isUWhiteSpace(static_cast<UChar32>(character.codePoint)) == 0)
            kept = at;
    }
    return line.substr(0, kept);
}

std::vector<std::string> linesOf(std::string_view text, const std::string& where)
{
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view token = trimmedLine(text.substr(at, end - at));
        if (token.empty())
            throw FormatError(fmt::format("the token with id {} is empty", tokens.size()), where,
                              at, "Write one token per line");
        if (tokens.size() == TokenTable::kMost)
            throw FormatError(fmt::format("there are more than {} tokens", TokenTable::kMost),
                              where, at);
        tokens.emplace_back(token);
        at = end + 1;
    }
    return tokens;
}

} // namespace

std::shared_ptr<const Tokenizer> parseVocabularyText(std::string_view text,
                                                     const BertNormalization& normalization,
                                                     const std::string& where)
{
    return namingFile(where, [&] {
        return std::make_shared<const WordPieceTokenizer>(
            bertVocabulary(linesOf(text, where), normalization));
    });
}

} // namespace headscope
