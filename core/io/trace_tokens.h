#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One text of a trace file as stored in its metadata: ids, tokens, text and offsets. Empty where
/// missing; otherwise one entry per token. Either tokens exist, or ids with offsets.
struct StoredTokens
{
    std::vector<TokenId> ids;
    std::vector<std::string> tokens;
    std::string text;
    std::vector<ByteRange> offsets; ///< Ranges inside text.
    std::vector<int> turns;         ///< Turns of a chat, see Token::turn.

    std::size_t size() const { return tokens.empty() ? ids.size() : tokens.size(); }
};

/// The texts of one file, with the names of their tokens.
struct NamedTexts
{
    std::vector<TokenSequence> texts;
    std::shared_ptr<const Tokenizer> names;
    bool idsDisagree = false; ///< One id names two tokens, so ids are renumbered.
};

/// Reconstructs every text as a tokenizer would have returned it. A text without offsets is joined
/// from its tokens, which may be spelt as byte-level, SentencePiece or WordPiece vocabularies store
/// them; a text without ids gets new ones.
NamedTexts nameTokens(const std::vector<StoredTokens>& stored);

/// Tokens named by a trace: enough to show it, not to tokenize another text.
class TraceVocabulary : public Tokenizer
{
public:
    struct Name
    {
        std::string text;  ///< As the vocabulary stores it: "\u0120cat", "##ing".
        std::string bytes; ///< Bytes that it stands for.
        bool special = false;
    };

    explicit TraceVocabulary(std::map<TokenId, Name> names);

    std::string_view kind() const override { return "trace"; }

    std::size_t vocabularySize() const override; ///< Up to the largest id.

    TokenSequence encode(std::string_view text, bool addSpecial) const override; ///< Throws Error.
    std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;
    const std::string& tokenText(TokenId id) const override;
    /// "#7" for a token that the trace does not name
    std::string tokenBytes(TokenId id) const override;
    bool isSpecial(TokenId id) const override;
    std::optional<TokenId> find(std::string_view tokenText) const override;

    std::optional<TokenId> endOfText() const override { return std::nullopt; }

private:
    std::map<TokenId, Name> m_names;
};

} // namespace headscope
