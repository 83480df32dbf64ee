#pragma once

#include "core/text/tokenizers/wordpiece_tokenizer.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace headscope {

struct WordPieceTrainerSettings
{
    std::size_t vocabularySize = 8192; ///< Special tokens, characters, then merges.
    std::int64_t minimumCount = 2;     ///< Rarer pairs are not merged.
    BertNormalization normalization;
};

/// Learns pieces as in Schuster and Nakajima (2012): from single characters on, always merges the
/// pair of neighbours a b that raises the likelihood of the text most. For a text of N pieces, each
/// modelled independently, that is, up to a constant, n(ab) ln(N n(ab) / (n(a) n(b))); among equals
/// the smaller (a, b) is chosen. Ids: [PAD] [UNK] [CLS] [SEP] [MASK], characters in the order of
/// code points, "##" forms after plain ones, then pieces as learned; fewer than requested when no
/// pair is left. Every line is one text. The time per piece grows with the number of different
/// pairs. Throws Error for impossible settings and Cancelled when stopped.
std::shared_ptr<const WordPieceTokenizer> trainWordPieceOnLines(
    std::string_view text, const WordPieceTrainerSettings& settings,
    const std::function<void(std::size_t learned, std::size_t wanted)>& progress = {},
    const std::stop_token& stop = {});

} // namespace headscope
