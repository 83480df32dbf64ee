#pragma once

#include "core/attention/attention_backend.h"
#include "core/cluster/communicator.h"

#include <functional>

namespace headscope {

/// One process's part of a sequence that is split over all processes of a group, in order of rank.
struct RingPart
{
    std::int64_t first = 0; ///< First token within the sequence.
    std::int64_t tokens = 0;

    friend bool operator==(const RingPart&, const RingPart&) = default;
};

/// Part [n rank / size, n (rank + 1) / size) of a sequence of n tokens.
RingPart ringPart(std::int64_t tokens, std::int64_t rank, std::int64_t size);

struct RingInputs
{
    TensorView queries;      ///< Queries [batch, queryHeads, tokens of this part, headDim].
    TensorView keys;         ///< Keys [batch, keyHeads, tokens of this part, headDim].
    TensorView values;       ///< Values [batch, keyHeads, tokens of this part, valueDim].
    std::int64_t tokens = 0; ///< Tokens of the whole sequence, at least one per rank.
    float scale = 1.0F;
    bool causal = true;
};

/// A block of keys and values that passed through this process.
struct RingStep
{
    std::int64_t round = 0;
    RingPart keys;
    bool isSkipped = false; ///< True when all of its keys come after all of the queries.
};

/// Attention of this part's queries over the whole sequence, exact: blocks of keys and values are
/// passed round a ring, and each block's result is merged by its log-sum-exp (Liu, Zaharia, Abbeel
/// 2023, "Ring Attention", algorithm 1; Milakov, Gimelshein 2018, equation 4). No process ever
/// holds more than two blocks. Writes `context` [batch, queryHeads, tokens of this part, valueDim],
/// contiguous. `seen` may be empty. Throws ShapeError.
void ringAttention(Communicator& group, AttentionBackend& backend, const RingInputs& inputs,
                   MutableTensorView context,
                   const std::function<void(const RingStep&)>& seen = {});

} // namespace headscope
