#pragma once

#include "core/cluster/ring_attention.h"

#include <memory>

namespace headscope {

/// One causal attention layer over a sequence that the processes of a group hold together.
struct RingCase
{
    std::int64_t tokens = 2048;
    std::int64_t heads = 8;
    std::int64_t headDim = 64;
    int rounds = 5;
};

/// Medians; what rank 0 has measured.
struct RingTiming
{
    RingCase shape;
    std::int64_t processes = 1;
    double ringMs = 0.0;         ///< all ranks, from the first block to the last
    double fullMs = 0.0;         ///< rank 0 alone, the whole sequence
    double largestError = 0.0;   ///< of any context value of any rank, against the whole
    std::int64_t blockBytes = 0; ///< keys and values that one process holds at a time
    std::int64_t wholeBytes = 0; ///< those of the whole sequence
};

/// All ranks call it, each with a backend of its own. Random operands, the same on every rank.
RingTiming measureRing(Communicator& group, AttentionBackend& backend, const RingCase& shape);

} // namespace headscope
