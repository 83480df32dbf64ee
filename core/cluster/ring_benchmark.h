#pragma once

#include "core/cluster/ring_attention.h"

#include <memory>

namespace headscope {

/// One causal attention layer over a sequence that is split over the processes of a group.
struct RingCase
{
    std::int64_t tokens = 2048;
    std::int64_t heads = 8;
    std::int64_t headDim = 64;
    int rounds = 5;
};

/// Medians as measured by rank 0.
struct RingTiming
{
    RingCase shape;
    std::int64_t processes = 1;
    double ringMs = 0.0; ///< All ranks, from the first block to the last.
    double fullMs = 0.0; ///< Rank 0 alone, the whole sequence.
    /// Largest error of a context value on any rank, relative to the whole sequence on one.
    double largestError = 0.0;
    std::int64_t blockBytes = 0; ///< Keys and values that one process holds at a time.
    std::int64_t wholeBytes = 0; ///< Keys and values of the whole sequence.
};

/// Measures one case; called by all ranks, each with its own backend. Random operands, the same on
/// every rank.
RingTiming measureRing(Communicator& group, AttentionBackend& backend, const RingCase& shape);

} // namespace headscope
