#pragma once

#include "core/analysis/scores/head_table.h"

namespace headscope {

/// A token of several texts and what one head gives or gets there, a mean over its places.
struct TokenWeight
{
    TokenId id = 0;
    double weight = 0.0;
    int places = 0; ///< where it stands
};

/// The tokens at which a head does something, largest first. Weight on the first position counts
/// for neither: in a sink it would drown all others.
struct HeadTokens
{
    std::vector<TokenWeight> queries; ///< weight that leaves them for any later position than 0
    std::vector<TokenWeight> keys;    ///< mean weight from the queries that can see them
};

HeadTokens topTokens(const std::vector<TracePtr>& texts, HeadId head, std::size_t most = 6);

} // namespace headscope
