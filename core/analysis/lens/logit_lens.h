#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// Logits [n, V] that a residual stream [n, d] of any depth would give if it were the last one:
/// final norm, then unembedding (nostalgebraist 2020, "interpreting GPT: the logit lens"). Throws
/// Error for a model without a language head.
Tensor lensLogits(const Model& model, TensorView stream);

/// What each position of each layer would predict.
struct LogitLens
{
    int layers = 0;
    int tokens = 0;
    std::vector<TokenId> ids;         ///< [tokens, layers]: the most probable
    std::vector<float> probabilities; ///< theirs

    std::size_t at(int token, int layer) const
    {
        return static_cast<std::size_t>(token * layers + layer);
    }

    friend bool operator==(const LogitLens&, const LogitLens&) = default;
};

/// Of hook_resid_post of every layer that predicts (a decoder's, or the only stack's). Empty when
/// the trace holds none. Throws Cancelled when `stop` asks.
LogitLens logitLens(const Model& model, const Trace& trace, const std::stop_token& stop = {});

} // namespace headscope
