#pragma once

#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/unigram_lattice.h"

#include <memory>
#include <string_view>
#include <vector>

namespace headscope {

/// A token and its bytes within a word.
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

    /// Tokens from left to right. Bytes without a token in the vocabulary may be dropped.
    virtual std::vector<WordToken> tokensOf(std::string_view word) const = 0;

    /// True when the tokens of a word are worth caching.
    virtual bool wordsRepeat() const { return true; }
};

using WordModelPtr = std::unique_ptr<const WordModel>;

} // namespace headscope
