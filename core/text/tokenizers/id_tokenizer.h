#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>

namespace headscope {

/// Replaces a missing tokenizer: a text consists of ids with white space between them: "12 7 301".
/// Anything that is not an id of the vocabulary is skipped.
class IdTokenizer final : public Tokenizer
{
public:
    /// Throws Error for an empty vocabulary.
    explicit IdTokenizer(std::size_t vocabularySize);

    std::string_view kind() const override { return "ids"; }

    std::size_t vocabularySize() const override { return m_texts.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;

    /// Text such as "12 7 301".
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override;

    std::string tokenBytes(TokenId id) const override { return tokenText(id); }

    bool isSpecial(TokenId) const override { return false; }

    std::optional<TokenId> find(std::string_view tokenText) const override;

    std::optional<TokenId> endOfText() const override { return std::nullopt; }

private:
    std::vector<std::string> m_texts; ///< Texts by id.
};

} // namespace headscope
