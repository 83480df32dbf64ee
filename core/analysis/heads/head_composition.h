#pragma once

#include "core/analysis/heads/head_circuits.h"

namespace headscope {

/// Composition: how much a later head reads of an earlier head's output (Elhage et al. 2021), by
/// Frobenius norms in the row-vector convention, W_QK = W_Q W_K^T and W_OV = W_V W_O:
///   Q  |W_OV1 W_QK2| / (|W_OV1| |W_QK2|)    in its queries
///   K  |W_QK2 W_OV1^T| / (|W_QK2| |W_OV1|)  in its keys
///   V  |W_OV1 W_OV2| / (|W_OV1| |W_OV2|)    in its values
/// 1: all of it, 0: none. NaN when a head's matrix is 0.
struct Composition
{
    double query = 0.0;
    double key = 0.0;
    double value = 0.0;
};

Composition composition(const HeadMatrices& earlier, const HeadMatrices& later);

/// Composition of random heads of the same shape: the mean over `samples` pairs whose matrices are
/// N(0, 1) in every cell, from `seed`. It is the same for Q, K and V up to chance, so one number
/// represents all three: their mean.
struct CompositionBaseline
{
    double mean = 0.0;
    double deviation = 0.0; ///< Standard deviation of single values.
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
    Composition raw; ///< As defined; `minus` gives the displayed value.

    Composition minus(const CompositionBaseline& baseline) const;
};

/// Compositions of one head with every head of the layers before it in its stack, first layer
/// first. Heads of one layer read the same stream and do not compose with each other. Empty in the
/// first layer. Throws Error as headMatrices, and Cancelled.
std::vector<ComposedPair> compositionsInto(const Model& model, HeadId later,
                                           NormGains gains = NormGains::AsStored,
                                           const std::stop_token& stop = {});

} // namespace headscope
