#pragma once

#include "core/text/tokenizers/unigram_tokenizer.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace headscope {

struct UnigramTrainerSettings
{
    std::size_t vocabularySize = 8192; ///< Control pieces, characters and longer pieces.
    std::size_t longestPiece = 16;     ///< Limit in characters.
    std::size_t seedPieces = 200'000;  ///< Number of initial candidates.
    PieceNormalization normalization;
};

/// Learns a unigram model (Kudo 2018, section 3.2): begins with all characters and the substrings
/// of words with the largest count * length; then, until few enough are left, fits the
/// probabilities by expectation maximisation (counts through digamma, as a Dirichlet prior would)
/// and drops the quarter whose loss lowers the likelihood least. Characters are kept. A piece is
/// letters, or digits, or other signs, with at most one "▁" in front. Ids: <pad> </s> <unk>, then
/// by decreasing probability. Every line is one text. Throws Error for impossible settings and
/// Cancelled when stopped.
std::shared_ptr<const UnigramTokenizer>
trainUnigramOnLines(std::string_view text, const UnigramTrainerSettings& settings,
                    const std::function<void(double fraction)>& progress = {},
                    const std::stop_token& stop = {});

} // namespace headscope
