#pragma once

#include "core/generate/generator.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// A model size to measure greedy decoding on, with random weights, which do not affect the speed.
struct DecodeCase
{
    std::string name;
    ModelConfig config;
    std::int64_t promptTokens = 12;
    std::int64_t newTokens = 128;
};

/// Sizes toy (V 512, d 64, 4 heads, 2 layers, 32 positions), small (1024, 128, 4, 4, 64), mini
/// (2048, 256, 8, 6, 128) and gpt2-small (50257, 768, 12, 12, 1024): 12 tokens, then 128 new ones
/// or as many as there are positions for.
std::vector<DecodeCase> decodeCases();

/// Medians from the prompt to the last new token, each position computed once (KV cache).
struct DecodeTiming
{
    DecodeCase shape;
    std::string backend;
    int rounds = 0;
    double firstTokenMs = 0.0; ///< Time to the first token, prompt included.
    double totalMs = 0.0;      ///< Time of all new tokens.
    double tokensPerSecond = 0.0;
};

DecodeTiming measureDecoding(const DecodeCase& shape, std::unique_ptr<AttentionBackend> backend,
                             int rounds, const std::stop_token& stop = {});

} // namespace headscope
