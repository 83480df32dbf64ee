#pragma once

#include "core/model/pass/tracer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// A model size to measure typing on, with random weights: speed does not depend on them.
struct KeystrokeCase
{
    std::string name;
    ModelConfig config;
    std::int64_t tokens = 12;
};

/// toy (V 512, d 64, 4 heads, 2 layers), small (1024, 128, 4, 4), mini (2048, 256, 8, 6) and
/// gpt2-small (50257, 768, 12, 12).
std::vector<KeystrokeCase> keystrokeCases();

/// From the tokens of a sentence to a trace with every map and all logits, medians over rounds.
struct KeystrokeTiming
{
    std::string name;
    std::int64_t tokens = 0;
    int rounds = 0;
    double fullMs = 0.0;   ///< every position computed
    double cachedMs = 0.0; ///< only the last token changed
};

KeystrokeTiming measureKeystroke(const KeystrokeCase& benchmark,
                                 std::unique_ptr<AttentionBackend> backend, int rounds);

} // namespace headscope
