#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One text of a trace file, as its metadata has it: ids, tokens, text and offsets. Empty where the
/// file says nothing; what is there has one entry a token. Either tokens are there, or ids with
/// offsets.
struct StoredTokens
{
    std::vector<TokenId> ids;
    std::vector<std::string> tokens;
    std::string text;
    std::vector<ByteRange> offsets; ///< inside text

    std::size_t size() const { return tokens.empty() ? ids.size() : tokens.size(); }
};

/// The texts of one file, with the names of their tokens.
struct NamedTexts
{
    std::vector<TokenSequence> texts;
    std::shared_ptr<const Tokenizer> names;
    bool idsDisagree = false; ///< one id stood for two tokens: ids count the tokens instead
};

/// Makes of every text what a tokenizer would have made. A text without offsets is put together
/// from its tokens, which may be spelt as byte-level, SentencePiece or WordPiece vocabularies store
/// them; a text without ids gets numbers.
NamedTexts nameTokens(const std::vector<StoredTokens>& stored);

/// The tokens that a trace names, as far as it names them: enough to show it, not to read another
/// text.
class TraceVocabulary : public Tokenizer
{
public:
    struct Name
    {
        std::string text;  ///< as the vocabulary stores it: "\u0120cat", "##ing"
        std::string bytes; ///< what it stands for
        bool special = false;
    };

    explicit TraceVocabulary(std::map<TokenId, Name> names);

    std::string_view kind() const override { return "trace"; }

    std::size_t vocabularySize() const override; ///< up to the largest id

    TokenSequence encode(std::string_view text, bool addSpecial) const override; ///< throws Error
    std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;
    const std::string& tokenText(TokenId id) const override;
    std::string tokenBytes(TokenId id) const override; ///< "#7" for what the trace does not name
    bool isSpecial(TokenId id) const override;
    std::optional<TokenId> find(std::string_view tokenText) const override;

    std::optional<TokenId> endOfText() const override { return std::nullopt; }

private:
    std::map<TokenId, Name> m_names;
};

} // namespace headscope
