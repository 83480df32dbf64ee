#pragma once

#include "core/analysis/difference/model_difference.h"
#include "core/analysis/difference/text_ranking.h"

#include <nlohmann/json_fwd.hpp>

namespace headscope {

// Largest difference first. Numbers that are not finite are null; a part without values has its
// reason under "missing".

nlohmann::json headsJson(const TraceDifference& difference);
nlohmann::json tokensJson(const TraceDifference& difference, const Tokenizer& tokenizer);
nlohmann::json toJson(const WeightDifference& difference);
nlohmann::json toJson(const std::vector<TextDifference>& texts);

/// Text of a token as stored in the vocabulary; "#ID" for one that the tokenizer does not have, as
/// models may have more.
std::string storedTokenText(const Tokenizer& tokenizer, TokenId id);

} // namespace headscope
