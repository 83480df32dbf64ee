#pragma once

#include "core/attention/attention_backend.h"
#include "core/lessons/labs/lab_parts.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

// What the labs of attention, models and heads share, besides lab_parts.h.

/// The number that is chosen among some.
std::int64_t chosenNumber(const LabSettings& settings, std::string_view name);

LabNumber labNumber(const std::string& name, const std::string& title, double value,
                    const std::string& unit = {});
LabNumber labNumber(const std::string& name, const std::string& title, std::int64_t value,
                    const std::string& unit = {});

/// A time or a memory of this machine.
LabNumber measuredNumber(const std::string& name, const std::string& title, double value,
                         const std::string& unit);

std::string bytesText(double bytes); ///< "10.7 GB", "512 B"

/// How far a slow lab is; nothing where nobody asks.
void reportProgress(const LabContext& context, double done);

/// Throws Error where this place cannot open models.
LoadedModel labModel(const LabContext& context, const std::string& name);

/// The open one, else builtin:stories. Throws Error where neither can be had.
LoadedModel openLabModel(const LabContext& context);

/// Queries, keys and values of one layer, N(0, 1), the same for the same seed.
struct LayerOperands
{
    struct Extents
    {
        std::int64_t batch = 1;
        std::int64_t heads = 1;
        std::int64_t tokens = 1;
        std::int64_t headDim = 1;
    };

    LayerOperands(const Extents& extents, std::uint64_t seed);

    /// Scores over sqrt(d_k). The operands must outlive it.
    AttentionInputs inputs(bool causal) const;

    Tensor queries, keys, values; ///< [batch, heads, tokens, headDim]
};

/// Of two tensors of the same shape.
double largestDifference(const Tensor& one, const Tensor& other);

/// Slope of the line through (ln x, ln y): the exponent of a power law. Needs two points.
double logLogSlope(const std::vector<double>& x, const std::vector<double>& y);

/// The tokens [first, first + count) of operands [batch, heads, tokens, dim].
TensorView tokenRange(TensorView whole, std::int64_t first, std::int64_t count);

/// How many layers with this mask it takes until the last token can know of the first; -1: never.
std::int64_t layersToReach(const AttentionMask& mask, std::int64_t tokens);

/// Milliseconds: the median of so many calls.
double medianMs(int rounds, const std::function<void()>& work);

/// The pattern of one head as a picture; cells that no query may see are masked where `causal`.
LabMatrix patternMatrix(TensorView pattern, const std::vector<std::string>& queries,
                        const std::vector<std::string>& keys, bool causal);

} // namespace headscope
