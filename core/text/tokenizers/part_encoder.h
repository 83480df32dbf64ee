#pragma once

#include "core/text/tokenizers/tokenizer.h"

namespace headscope {

/// Encodes a long text in overlapping parts. Where two parts meet, their tokens must agree over
/// some kilobytes, far from the ends of both; where they do not (a word of a megabyte), the earlier
/// part is made longer, up to the whole text. SentencePiece adds scores in single precision and
/// loses digits in texts beyond about a megabyte: there parts are more exact than encode().
class PartEncoder
{
public:
    PartEncoder(const Tokenizer& tokenizer, std::string_view text)
        : m_tokenizer(tokenizer)
        , m_text(text)
    {
    }

    /// Passes all tokens but added special ones to `sink`.
    void run(const Tokenizer::TokenSink& sink) const;

private:
    /// Tokens of bytes [begin, end), with the ranges of the whole text.
    struct Part
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::vector<Token> tokens;
        std::size_t first = 0; ///< Index of the first token that has not been passed on.
    };

    Part encoded(std::size_t begin, std::size_t bytes) const;
    std::size_t characterAt(std::size_t position) const;
    std::optional<std::size_t> nextBegin(const Part& part) const;
    bool join(Part& part, Part& next) const;

    const Tokenizer& m_tokenizer;
    std::string_view m_text;
};

} // namespace headscope
