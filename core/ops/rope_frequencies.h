#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// Rotary positions (Su et al. 2021): angle(t, i) = t * theta^(-2i/R), i < R/2.
struct RopeSettings
{
    enum class Layout { Half, Interleaved }; ///< pairs (i, i + R/2), or (2i, 2i + 1)
    enum class Scaling { None, Linear, Dynamic, Yarn, Llama3 };

    double theta = 10000.0;
    Layout layout = Layout::Half;
    std::int64_t dimensions = 0; ///< R, channels of a head that turn; 0: all of them
    Scaling scaling = Scaling::None;
    double factor = 1.0;              ///< how many times longer than the original context
    std::int64_t originalMaxLen = 0;  ///< 0: max_len
    double lowFrequencyFactor = 1.0;  ///< llama3
    double highFrequencyFactor = 4.0; ///< llama3
    double betaFast = 32.0;           ///< yarn
    double betaSlow = 1.0;            ///< yarn
    double attentionFactor = 0.0;     ///< yarn; 0: 0.1 ln(factor) + 1

    friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

/// theta^(-2i/R), i < R/2, changed as the scaling says (transformers' linear, dynamic, yarn and
/// llama3). `tokens` is the length of the text, which decides the dynamic scaling alone;
/// `originalMaxLen` must be set for the last three. Throws ShapeError for an odd R, theta <= 1,
/// factor < 1 and bounds that are not in order.
std::vector<double> ropeInverseFrequencies(const RopeSettings& settings, std::int64_t dimensions,
                                           std::int64_t tokens);

/// What the scaling multiplies cos and sin with: 1 unless yarn.
double ropeAttentionFactor(const RopeSettings& settings);

} // namespace headscope
