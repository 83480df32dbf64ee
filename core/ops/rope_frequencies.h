#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// Rotary position embedding (Su et al. 2021): angle(t, i) = t * theta^(-2i/R), i < R/2.
struct RopeSettings
{
    enum class Layout { Half, Interleaved }; ///< Rotated pairs: (i, i + R/2), or (2i, 2i + 1).
    enum class Scaling { None, Linear, Dynamic, Yarn, Llama3 };

    double theta = 10000.0;
    Layout layout = Layout::Half;
    std::int64_t dimensions = 0; ///< R, rotated channels per head; 0: all of them.
    Scaling scaling = Scaling::None;
    double factor = 1.0;              ///< Context length relative to the original one.
    std::int64_t originalMaxLen = 0;  ///< 0: max_len
    double lowFrequencyFactor = 1.0;  ///< Llama3 scaling.
    double highFrequencyFactor = 4.0; ///< Llama3 scaling.
    double betaFast = 32.0;           ///< YaRN scaling.
    double betaSlow = 1.0;            ///< YaRN scaling.
    double attentionFactor = 0.0;     ///< YaRN scaling; 0: 0.1 ln(factor) + 1.

    friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

/// Frequencies theta^(-2i/R), i < R/2, scaled as requested (transformers' linear, dynamic, yarn and
/// llama3). `tokens` is the length of the text, which affects the dynamic scaling alone;
/// `originalMaxLen` must be set for the last three. Throws ShapeError for an odd R, theta <= 1,
/// factor < 1 and bounds in the wrong order.
std::vector<double> ropeInverseFrequencies(const RopeSettings& settings, std::int64_t dimensions,
                                           std::int64_t tokens);

/// Factor of cos and sin: 1 unless the scaling is YaRN.
double ropeAttentionFactor(const RopeSettings& settings);

} // namespace headscope
