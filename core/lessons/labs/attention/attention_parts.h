#pragma once

#include "core/attention/attention_backend.h"
#include "core/lessons/labs/lab_parts.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

// Shared by the labs of attention, models and heads, besides lab_parts.h.

/// Numeric value of a choice control.
std::int64_t chosenNumber(const LabSettings& settings, std::string_view name);

LabNumber labNumber(const std::string& name, const std::string& title, double value,
                    const std::string& unit = {});
LabNumber labNumber(const std::string& name, const std::string& title, std::int64_t value,
                    const std::string& unit = {});

/// Lab number measured on this machine (time or memory).
LabNumber measuredNumber(const std::string& name, const std::string& title, double value,
                         const std::string& unit);

std::string bytesText(double bytes); ///< "10.7 GB", "512 B".

/// Reports the progress of a slow lab, if requested.
void reportProgress(const LabContext& context, double done);

/// Opens a model by name. Throws Error if this context cannot open models.
LoadedModel labModel(const LabContext& context, const std::string& name);

/// The open model, else builtin:stories. Throws Error if neither is available.
LoadedModel openLabModel(const LabContext& context);

/// Queries, keys and values of one layer, sampled from N(0, 1); reproducible by seed.
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

    /// Attention input with scores divided by sqrt(d_k). The operands must outlive it.
    AttentionInputs inputs(bool causal) const;

    Tensor queries, keys, values; ///< [batch, heads, tokens, headDim].
};

/// Largest absolute difference of two tensors of the same shape.
double largestDifference(const Tensor& one, const Tensor& other);

/// Result of attention alone, without scores and pattern.
Tensor contextOf(const AttentionInputs& inputs, AttentionBackend& backend);

/// Slope of a line fitted to (ln x, ln y), the exponent of a power law. Needs two points.
double logLogSlope(const std::vector<double>& x, const std::vector<double>& y);

/// Slice of the tokens [first, first + count) of operands [batch, heads, tokens, dim].
TensorView tokenRange(TensorView whole, std::int64_t first, std::int64_t count);

/// Number of layers with this mask until the first token reaches the last; -1: never.
std::int64_t layersToReach(const AttentionMask& mask, std::int64_t tokens);

/// Attention pattern of one head as a figure; hidden cells are masked if `causal`.
LabMatrix patternMatrix(TensorView pattern, const std::vector<std::string>& queries,
                        const std::vector<std::string>& keys, bool causal);

} // namespace headscope
