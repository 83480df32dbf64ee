#pragma once

#include "core/model/model.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace headscope {

/// Measurements to make: prompts of random tokens, each alone, without and with a copy of every
/// attention pattern, and tokens generated one after another. Prompts that do not fit the model's
/// positions are left out, and as many tokens are generated as fit.
struct ModelSpeedOptions
{
    std::vector<std::int64_t> promptTokens{12, 128, 512};
    std::int64_t newTokens = 32;
    std::int64_t tokensBefore = 16; ///< Number of tokens before the new ones.
    int rounds = 5;
    Products products = Products::Exact; ///< Except where patterns are recorded: exact.
};

/// Median of one measurement.
struct ModelSpeed
{
    enum class Kind {
        Prompt, ///< From an empty cache to the logits of the last token.
        Maps,   ///< A prompt with every head's pattern recorded.
        Decode, ///< Greedy decoding, token after token, with a cache.
    };

    Kind kind = Kind::Prompt;
    std::int64_t tokens = 0;
    double milliseconds = 0.0;

    double tokensPerSecond() const { return static_cast<double>(tokens) * 1e3 / milliseconds; }
};

/// Measures in turns, round after round, after one round that prepares the weights. Throws Error
/// for a model that predicts no next token or when there is nothing to measure, Cancelled between
/// layers.
std::vector<ModelSpeed> measureModelSpeed(const std::shared_ptr<const Model>& model,
                                          AttentionBackend& backend,
                                          const ModelSpeedOptions& options,
                                          const std::stop_token& stop = {});

} // namespace headscope
