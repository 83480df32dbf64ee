#include "core/text/tokenizers/token_table.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

namespace headscope {

TokenTable::TokenTable(std::vector<std::string> tokens, const std::vector<AddedToken>& added,
                       std::string owner)
    : m_tokens(std::move(tokens))
    , m_special(m_tokens.size(), false)
    , m_owner(std::move(owner))
{
    if (m_tokens.empty())
        throw Error("the vocabulary is empty");
    if (m_tokens.size() > kMost)
        throw Error(fmt::format("there are more than {} tokens", kMost));
    m_ids.reserve(m_tokens.size());
    for (std::size_t id = 0; id < m_tokens.size(); ++id) {
        if (m_tokens[id].empty())
            throw Error(fmt::format("the token with id {} is empty", id));
        if (!m_ids.emplace(m_tokens[id], static_cast<TokenId>(id)).second)
            throw Error(
                fmt::format("the token {} has two ids", inQuotes(displayText(m_tokens[id]))));
    }
    for (const AddedToken& token : added) {
        check(std::span(&token.id, 1), "an added token");
        if (text(token.id) != token.content)
            throw Error(fmt::format("the added token {} has the id {} of another token",
                                    inQuotes(displayText(token.content)), token.id));
        m_special[index(token.id)] = token.special;
    }
}

std::optional<TokenId> TokenTable::find(std::string_view text) const
{
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

std::size_t TokenTable::index(TokenId id) const
{
    if (id < 0 || static_cast<std::size_t>(id) >= m_tokens.size())
        throw Error(fmt::format("token id {} does not exist", id), m_owner,
                    fmt::format("Use ids from 0 to {}", m_tokens.size() - 1));
    return static_cast<std::size_t>(id);
}

void TokenTable::check(std::span<const TokenId> ids, const char* what) const
{
    for (const TokenId id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= m_tokens.size())
            throw Error(fmt::format("{} names the id {}, but the vocabulary has {} tokens", what,
                                    id, m_tokens.size()));
    }
}

std::optional<TokenId> TokenTable::usualEndOfText() const
{
    for (const char* name : {"<|endoftext|>", "<|end_of_text|>", "</s>"}) {
        const auto id = find(name);
        if (id && isSpecial(*id))
            return id;
    }
    return std::nullopt;
}

void TokenTable::surround(std::vector<Token>& tokens, std::span<const TokenId> prefix,
                          std::span<const TokenId> suffix)
{
    std::vector<Token> before;
    for (const TokenId id : prefix)
        before.push_back({id, {}, true});
    tokens.insert(tokens.begin(), before.begin(), before.end());
    for (const TokenId id : suffix)
        tokens.push_back({id, {}, true});
}

} // namespace headscope
