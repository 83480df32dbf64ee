#include "core/analysis/derivation/word_tokens.h"

#include "core/text/display_text.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::size_t kFewest = 16; ///< Still enough choice for a random text.

bool isWordLetter(char byte)
{
    const auto value = static_cast<unsigned char>(byte);
    return (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z') ||
           (value >= 'A' && value <= 'Z') || value >= 0x80; // letters of any script, as UTF-8
}

/// U+FFFD replaces bytes that are no character.
bool isWord(const std::string& text)
{
    const bool isWhole = displayText(text).find('<') == std::string::npos;
    return !text.empty() && isWhole && std::all_of(text.begin(), text.end(), isWordLetter);
}

bool beginsWord(const Tokenizer& tokenizer, TokenId id)
{
    const std::string bytes = tokenizer.tokenBytes(id);
    if (bytes.starts_with(' '))
        return isWord(bytes.substr(1));
    return tokenizer.kind() == "wordpiece" && !tokenizer.tokenText(id).starts_with("##") &&
           isWord(bytes);
}

} // namespace

std::vector<TokenId> wordTokens(const LoadedModel& model)
{
    std::vector<TokenId> plain;
    std::vector<TokenId> words;
    const auto vocabulary = static_cast<TokenId>(model.model->config().vocabularySize);
    const auto known = static_cast<TokenId>(model.tokenizer->vocabularySize());
    for (TokenId id = 0; id < std::min(vocabulary, known); ++id) {
        if (model.tokenizer->isSpecial(id))
            continue;
        plain.push_back(id);
        if (beginsWord(*model.tokenizer, id))
            words.push_back(id);
    }
    return words.size() < kFewest ? plain : words;
}

} // namespace headscope
