#pragma once

#include "core/analysis/scores/head_table.h"

namespace headscope {

/// A token of several texts and the mean weight that one head gives or gets there.
struct TokenWeight
{
    TokenId id = 0;
    double weight = 0.0;
    int places = 0; ///< Number of its positions.
};

/// The tokens at which a head is active, largest first. Weight on the first position is ignored: in
/// a sink it would drown all others.
struct HeadTokens
{
    std::vector<TokenWeight> queries; ///< Weight from these tokens on any later position than 0.
    std::vector<TokenWeight> keys;    ///< Mean weight from the queries that can attend to them.
};

HeadTokens topTokens(const std::vector<TracePtr>& texts, HeadId head, std::size_t most = 6);

} // namespace headscope
