#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// Rotary position embedding (Su et al. 2021): angle(t, i) = t * theta^(-2i/R), i < R/2.
struct RopeSettings
{
    enum class Layout { Half, Interleaved }; ///< Rotated pairs: (i, i + R/2), or (2i, 2i + 1).
    enum class Scaling { None, Linear, Dynamic, Yarn, Llama3, LongRope };

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
    /// YaRN and LongRoPE scaling; 0: 0.1 ln(factor) + 1, sqrt(1 + ln(factor) / ln(original length)).
    double attentionFactor = 0.0;
    bool truncates = true; ///< YaRN scaling: whole numbers bound the blended pairs.
    std::vector<double> shortFactors =
        {}; ///< LongRoPE: divisors [R/2] of texts up to originalMaxLen.
    std::vector<double> longFactors = {}; ///< LongRoPE: divisors [R/2] of longer texts.

    /// True where the frequencies depend on the length of a text beyond the original one.
    bool dependsOnLength() const
    {
        return scaling == Scaling::Dynamic || scaling == Scaling::LongRope;
    }

    friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

/// Frequencies theta^(-2i/R), i < R/2, scaled as requested (transformers' linear, dynamic, yarn,
/// llama3 and longrope). `tokens` is the length of the text, which affects dynamic and longrope
/// alone; `originalMaxLen` must be set for all but linear. Throws ShapeError for an odd R,
/// theta <= 1, factor < 1, bounds in the wrong order and factors that are not R/2 positive numbers.
std::vector<double> ropeInverseFrequencies(const RopeSettings& settings, std::int64_t dimensions,
                                           std::int64_t tokens);

/// Factor of cos and sin: 1 unless the scaling is YaRN or LongRoPE.
double ropeAttentionFactor(const RopeSettings& settings);

} // namespace headscope
