#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One learned merge, with the frequency of its pair.
struct BpeMerge
{
    std::pair<TokenId, TokenId> pair;
    TokenId merged = 0;
    std::int64_t count = 0;
};

struct BpeTrainerSettings
{
    std::size_t vocabularySize = 8192; ///< Special tokens, 256 bytes, then merges.
    std::vector<std::string> specialTokens = {"<|endoftext|>"};
    std::int64_t minimumCount = 1; ///< Rarer pairs are not merged.
    bool addPrefixSpace = false;
    /// Called for each merge, in order, on the same thread.
    std::function<void(const BpeMerge&)> onMerge = {};
};

/// Called from time to time with the numbers of merges learned and wanted, on the training thread.
using BpeProgress = std::function<void(std::size_t merges, std::size_t wanted)>;

/// Learns merges: always the most frequent pair of neighbours inside the words of all texts, among
/// equals the one with the smaller (left id, right id). Ids: special tokens, the bytes in the order
/// of their symbols, then merges as learned; fewer than requested when no pair is left. Special
/// tokens inside a text separate it and are not learned from. Throws Error for impossible settings
/// and Cancelled when stopped.
std::shared_ptr<const BpeTokenizer> trainBpe(std::span<const std::string_view> texts,
                                             const BpeTrainerSettings& settings,
                                             const BpeProgress& progress = {},
                                             std::stop_token stop = {});

/// Trains on every line of `text` as one text; line ends are not learned.
std::shared_ptr<const BpeTokenizer> trainBpeOnLines(std::string_view text,
                                                    const BpeTrainerSettings& settings,
                                                    const BpeProgress& progress = {},
                                                    std::stop_token stop = {});

} // namespace headscope
