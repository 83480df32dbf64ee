#pragma once

#include "core/model/pass/tracer.h"
#include "tests/support/golden.h"

namespace headscope::test {

/// The decoder of a golden file "models/gpt_*": shapes from its weights, the rest from `params`.
Model goldenModel(const GoldenFile& file);

/// 3 layers of 4 heads, 37 tokens, 24 positions; larger weights than a real start, so that
/// attention is far from uniform.
ModelConfig smallConfig();
LoadedModel smallModel(std::uint64_t seed = 1, const ModelConfig& config = smallConfig());

/// Tokens that stand for themselves: text is their ids.
TokenSequence tokensOf(const std::vector<TokenId>& ids);

/// Ids that depend on the seed alone.
std::vector<TokenId> randomIds(std::uint64_t seed, std::size_t count, std::int64_t vocabulary);

/// "" when both hold the same activations, equal to within `tolerance`; else where they differ.
std::string traceDifference(const Trace& got, const Trace& expected, double tolerance);

} // namespace headscope::test
