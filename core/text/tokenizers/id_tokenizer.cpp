#include "core/text/tokenizers/id_tokenizer.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kSpaces = " \t\n\r,;[]"; // a list may be pasted

} // namespace

IdTokenizer::IdTokenizer(std::size_t vocabularySize)
{
    if (vocabularySize == 0)
        throw Error("the vocabulary is empty", "IdTokenizer");
    m_texts.reserve(vocabularySize);
    for (std::size_t id = 0; id < vocabularySize; ++id)
        m_texts.push_back(fmt::format("{}", id));
}

TokenSequence IdTokenizer::encode(std::string_view text, bool) const
{
    TokenSequence sequence;
    sequence.text = text;
    for (std::size_t begin = text.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
        if (const auto id = find(text.substr(begin, end - begin)))
            sequence.tokens.push_back({*id, {begin, end}, false});
        begin = text.find_first_not_of(kSpaces, end);
    }
    return sequence;
}

std::string IdTokenizer::decode(std::span<const TokenId> ids, bool) const
{
    std::string text;
    for (const TokenId id : ids)
        text += (text.empty() ? "" : " ") + tokenText(id);
    return text;
}

const std::string& IdTokenizer::tokenText(TokenId id) const
{
    if (id < 0 || static_cast<std::size_t>(id) >= m_texts.size())
        throw Error(fmt::format("token id {} does not exist", id), "IdTokenizer",
                    fmt::format("Use ids from 0 to {}", m_texts.size() - 1));
    return m_texts[static_cast<std::size_t>(id)];
}

std::optional<TokenId> IdTokenizer::find(std::string_view tokenText) const
{
    TokenId id = 0;
    const auto [end, fault] =
        std::from_chars(tokenText.data(), tokenText.data() + tokenText.size(), id);
    if (fault != std::errc() || end != tokenText.data() + tokenText.size() || id < 0 ||
        static_cast<std::size_t>(id) >= m_texts.size())
        return std::nullopt;
    return id;
}

} // namespace headscope
