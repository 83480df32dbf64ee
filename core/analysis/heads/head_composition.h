#pragma once

#include "core/analysis/heads/head_circuits.h"

namespace headscope {

/// How much a later head reads what an earlier one writes (Elhage et al. 2021), by Frobenius norms
/// in the row-vector convention, W_QK = W_Q W_K^T and W_OV = W_V W_O:
///   Q  |W_OV1 W_QK2| / (|W_OV1| |W_QK2|)    into its queries
///   K  |W_QK2 W_OV1^T| / (|W_QK2| |W_OV1|)  into its keys
///   V  |W_OV1 W_OV2| / (|W_OV1| |W_OV2|)    into its values
/// 1: all of it, 0: none. NaN when a head's matrix is 0.
struct Composition
{
    double query = 0.0;
    double key = 0.0;
    double value = 0.0;
};

Composition composition(const HeadMatrices& earlier, const HeadMatrices& later);

/// What random heads of the same shape have: the mean composition of `samples` pairs whose matrices
/// are N(0, 1) in every cell, from `seed`. It is the same for Q, K and V up to chance, so that one
/// number stands for the three: the mean of all.
struct CompositionBaseline
{
    double mean = 0.0;
    double deviation = 0.0; ///< standard deviation of single values
    int samples = 0;
    std::uint64_t seed = 0;
};

constexpr int kBaselineSamples = 16;
constexpr std::uint64_t kBaselineSeed = 20211222;

CompositionBaseline compositionBaseline(std::int64_t width, std::int64_t headDim,
                                        int samples = kBaselineSamples,
                                        std::uint64_t seed = kBaselineSeed);

struct ComposedPair
{
    HeadId earlier;
    HeadId later;
    Composition raw; ///< as defined; `minus` gives what is shown

    Composition minus(const CompositionBaseline& baseline) const;
};

/// One head with every head of the layers before it in its stack, first layer first. Heads of one
/// layer read the same stream and compose with none of each other. Empty in the first layer. Throws
/// Error as headMatrices, and Cancelled.
std::vector<ComposedPair> compositionsInto(const Model& model, HeadId later,
                                           NormGains gains = NormGains::AsStored,
                                           const std::stop_token& stop = {});

} // namespace headscope
