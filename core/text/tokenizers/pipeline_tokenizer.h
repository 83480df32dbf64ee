#pragma once

#include "core/text/normalizers/text_normalizer.h"
#include "core/text/splitting/word_splitter.h"
#include "core/text/tokenizers/token_decoder.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// How the text of a token spells bytes.
struct TokenSpelling
{
    bool byteLevel = false;    ///< Uses GPT-2's alphabet.
    bool byteFallback = false; ///< Uses <0x41>.
    std::string space;         ///< Mark of a space: "▁"; "" for none.
    std::string wordMark;      ///< Prefix of a token that begins a word, not part of it.
    std::string continuation;  ///< Prefix of a token that continues a word: "##".
};

/// Parts of a tokenizer. Null parts have no effect.
struct TokenizerParts
{
    std::string kind;                        ///< Kind "bpe", "wordpiece" or "unigram".
    std::unique_ptr<const TokenTable> table; ///< Includes the added tokens.
    std::vector<AddedToken> addedTokens;
    TextNormalizer normalizer;
    WordSplitter splitter;
    WordModelPtr model;
    TokenDecoder decoder; ///< Null: spaces between the tokens.
    TokenSpelling spelling;
    std::string unknownText; ///< Decoded text of `unknown`; "" for its own text.
    std::optional<TokenId> unknown;
    std::vector<TokenId> textPrefix; ///< Tokens before a text, added by encode(..., addSpecial).
    std::vector<TokenId> textSuffix;
    std::optional<TokenId> endOfText;
};

/// A tokenizer as defined in a model's files: added tokens are matched, the rest of the text is
/// normalised, split into words, and each word into tokens. Ids are those of Hugging Face
/// tokenizers, or SentencePiece's where the parts come from its files. Ranges are bytes of the
/// original text; where a token ends inside one normalised unit, neighbours may share bytes.
class PipelineTokenizer final : public Tokenizer
{
public:
    /// Throws Error for inconsistent parts.
    explicit PipelineTokenizer(TokenizerParts parts);

    std::string_view kind() const override { return m_parts.kind; }

    std::size_t vocabularySize() const override { return m_parts.table->size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_parts.table->text(id); }

    std::string tokenBytes(TokenId id) const override;

    bool isSpecial(TokenId id) const override { return m_parts.table->isSpecial(id); }

    std::optional<TokenId> find(std::string_view tokenText) const override
    {
        return m_parts.table->find(tokenText);
    }

    std::optional<TokenId> endOfText() const override { return m_parts.endOfText; }

private:
    class Encoding;

    TokenizerParts m_parts;
    AddedTokenFinder m_addedBefore;     ///< Tokens matched before normalising.
    AddedTokenFinder m_addedAfterwards; ///< Tokens matched after normalising, in normalised form.
    std::vector<bool> m_isAdded;        ///< Flags by id.
};

} // namespace headscope
