#pragma once

#include "core/text/normalizers/text_normalizer.h"
#include "core/text/splitting/word_splitter.h"
#include "core/text/tokenizers/token_decoder.h"
#include "core/text/tokenizers/word_model.h"

namespace headscope {

/// How the text of a token stands for bytes.
struct TokenSpelling
{
    bool byteLevel = false;    ///< GPT-2's alphabet
    bool byteFallback = false; ///< <0x41>
    std::string space;         ///< stands for a space: "▁"; "" for none
    std::string wordMark;      ///< what a token that begins a word begins with, no part of it
    std::string continuation;  ///< what one that goes on begins with: "##"
};

/// What a tokenizer is put together from. Parts that are null do nothing.
struct TokenizerParts
{
    std::string kind;                        ///< "bpe", "wordpiece", "unigram"
    std::unique_ptr<const TokenTable> table; ///< with the added tokens
    std::vector<AddedToken> addedTokens;
    NormalizerPtr normalizer;
    SplitterPtr splitter;
    WordModelPtr model;
    DecoderPtr decoder; ///< null: spaces between the tokens
    TokenSpelling spelling;
    std::string unknownText; ///< what `unknown` is decoded to; "" for its own text
    std::optional<TokenId> unknown;
    std::vector<TokenId> textPrefix; ///< put before a text by encode(..., addSpecial)
    std::vector<TokenId> textSuffix;
    std::optional<TokenId> endOfText;
};

/// A tokenizer as it stands in a model's files: added tokens are found, the rest of the text is
/// normalized, cut into words, and each word into tokens. Ids are those of Hugging Face tokenizers,
/// or SentencePiece's where the parts come from its files. Ranges are bytes of the original text;
/// where a token ends inside what normalizing made of one piece of it, neighbours may share bytes.
class PipelineTokenizer final : public Tokenizer
{
public:
    /// Throws Error for parts that do not fit each other.
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
    AddedTokenFinder m_addedBefore;     ///< those that are not normalized
    AddedTokenFinder m_addedAfterwards; ///< those that are, as normalizing leaves them
    std::vector<bool> m_isAdded;        ///< by id
};

} // namespace headscope
