#pragma once

#include "core/text/tokenizers/wordpiece_tokenizer.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace headscope {

struct WordPieceTrainerSettings
{
    std::size_t vocabularySize = 8192; ///< special tokens, characters, then merges
    std::int64_t minimumCount = 2;     ///< pairs seen less often are not joined
    BertNormalization normalization;
};

/// Learns pieces as Schuster and Nakajima (2012) say: from single characters on, always joins the
/// pair of neighbours a b that raises the likelihood of the text most. Of a text of N pieces taken
/// one by one that is, but for a constant, n(ab) ln(N n(ab) / (n(a) n(b))); of equals the smaller
/// (a, b) wins. Ids: [PAD] [UNK] [CLS] [SEP] [MASK], characters in the order of code points, "##"
/// forms after plain ones, then pieces as learned; fewer than wanted when no pair is left. Every
/// line is one text. Takes time for each piece that grows with the number of different pairs.
/// Throws Error for settings that cannot be met and Cancelled when stopped.
std::shared_ptr<const WordPieceTokenizer> trainWordPieceOnLines(
    std::string_view text, const WordPieceTrainerSettings& settings,
    const std::function<void(std::size_t learned, std::size_t wanted)>& progress = {},
    const std::stop_token& stop = {});

} // namespace headscope
