#pragma once

#include "core/analysis/scores/head_table.h"

#include <span>
#include <vector>

namespace headscope {

/// What a text repeats, found once for all heads.
struct TextRepeats
{
    std::vector<std::vector<int>> copies; ///< of each token: where it stood before, rising
    std::int64_t repeated = 0;            ///< tokens that have a copy before them

    explicit TextRepeats(std::span<const TokenId> ids);
};

/// All scores of one square pattern.
HeadScoreTable::Row scoreSquare(TensorView pattern, const TextRepeats& repeats,
                                const HeadScoreOptions& options, bool looksAhead);

/// Of a pattern of one text on another: entropies, first token, sink.
HeadScoreTable::Row scoreCross(TensorView pattern);

/// Of a head that gives all keys it may see the same.
HeadScoreTable::Row scoreEvenHead(std::span<const TokenId> ids, std::int64_t keys,
                                  const HeadScoreOptions& options, bool looksAhead, bool isCross);

/// Every head of the first layer has weight on later tokens.
bool looksAhead(const Trace& trace, AttentionKind attention);

} // namespace headscope
