#pragma once

#include "core/model/pass/tracer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// A model size for measuring typing, with random weights: speed does not depend on their values.
struct KeystrokeCase
{
    std::string name;
    ModelConfig config;
    std::int64_t tokens = 12;
};

/// Sizes toy (V 512, d 64, 4 heads, 2 layers), small (1024, 128, 4, 4), mini (2048, 256, 8, 6) and
/// gpt2-small (50257, 768, 12, 12).
std::vector<KeystrokeCase> keystrokeCases();

/// Time from the tokens of a sentence to a trace with every pattern and all logits, medians over
/// rounds.
struct KeystrokeTiming
{
    std::string name;
    std::int64_t tokens = 0;
    int rounds = 0;
    double fullMs = 0.0;   ///< All positions computed, ms.
    double cachedMs = 0.0; ///< Only the last token changed, the rest cached, ms.
};

KeystrokeTiming measureKeystroke(const KeystrokeCase& benchmark,
                                 std::unique_ptr<AttentionBackend> backend, int rounds,
                                 WeightPrecision precision = WeightPrecision::Float32);

} // namespace headscope
