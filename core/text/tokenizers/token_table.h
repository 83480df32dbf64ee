#pragma once

#include "core/text/splitting/added_tokens.h"

#include <unordered_map>

namespace headscope {

/// Tokens by id and ids by token.
class TokenTable
{
public:
    /// Limit on the number of tokens, which take far more memory than file space.
    static constexpr std::size_t kMost = std::size_t{1} << 22;

    /// Throws Error for invalid, too many, empty or duplicate tokens, and for added tokens with a
    /// wrong id. `owner` is named in errors about ids.
    TokenTable(std::vector<std::string> tokens, const std::vector<AddedToken>& added,
               std::string owner);

    std::size_t size() const { return m_tokens.size(); }

    const std::string& text(TokenId id) const { return m_tokens[index(id)]; }

    bool isSpecial(TokenId id) const { return m_special[index(id)]; }

    void makeSpecial(TokenId id) { m_special[index(id)] = true; }

    std::optional<TokenId> find(std::string_view text) const;
    std::size_t index(TokenId id) const; ///< Throws Error for an id that does not exist.
    void check(std::span<const TokenId> ids, const char* what) const;

    /// A special token with one of the usual names: "<|endoftext|>", "</s>".
    std::optional<TokenId> usualEndOfText() const;

    /// Adds `prefix` and `suffix` around the tokens of a text.
    static void surround(std::vector<Token>& tokens, std::span<const TokenId> prefix,
                         std::span<const TokenId> suffix);

private:
    struct Hash
    {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>()(text);
        }
    };

    std::vector<std::string> m_tokens;
    std::vector<bool> m_special;
    std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> m_ids;
    std::string m_owner;
};

} // namespace headscope
