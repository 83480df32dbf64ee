#pragma once

#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/unigram_lattice.h"

#include <memory>
#include <string_view>
#include <vector>

namespace headscope {

/// A token and the bytes of a word that it stands for.
struct WordToken
{
    TokenId id = 0;
    ByteRange bytes;
};

/// Turns words into tokens. Immutable; `table` outlives it.
class WordModel
{
public:
    virtual ~WordModel() = default;

    /// Tokens from left to right. Bytes that the vocabulary has nothing for may be left out.
    virtual std::vector<WordToken> tokensOf(std::string_view word) const = 0;

    /// Whether what a word becomes is worth remembering.
    virtual bool wordsRepeat() const { return true; }
};

using WordModelPtr = std::unique_ptr<const WordModel>;

} // namespace headscope
