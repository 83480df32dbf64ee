#pragma once

#include "core/cluster/ring_attention.h"

#include <memory>
#include <vector>

namespace headscope {

/// One causal attention layer over a sequence that is split over the processes of a group.
struct RingCase
{
    std::int64_t tokens = 2048;
    std::int64_t heads = 8;
    std::int64_t headDim = 64;
    int rounds = 5;
};

/// A block of keys at one worker, in the last measured round trip.
struct RingVisit
{
    std::int64_t worker = 0;  ///< Rank.
    std::int64_t process = 0; ///< Process id.
    RingStep step;
    double ms = 0.0; ///< From the start of the ring at this worker until the block was done.
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
    std::int64_t blockBytes = 0;   ///< Keys and values that one process holds at a time.
    std::int64_t wholeBytes = 0;   ///< Keys and values of the whole sequence.
    std::vector<RingVisit> visits; ///< Of all ranks by worker and round; at rank 0.
};

/// Measures one case; called by all ranks, each with its own backend. Random operands, the same on
/// every rank.
RingTiming measureRing(Communicator& group, AttentionBackend& backend, const RingCase& shape);

} // namespace headscope
