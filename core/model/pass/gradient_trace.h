#pragma once

#include "core/base/memory.h"
#include "core/model/model.h"

#include <optional>

namespace headscope {

/// Scalar whose gradient is computed.
struct GradientTarget
{
    enum class Kind {
        Logit,           ///< Logit of `token` at `position`.
        LogitDifference, ///< Logit of `token` minus that of `other`.
        Loss,            ///< Mean cross-entropy in nats of `targets`.
    };

    Kind kind = Kind::Logit;
    std::int64_t position = -1; ///< Position in the text; -1: the last.
    TokenId token = 0;
    TokenId other = 0;
    std::vector<TokenId> targets; ///< One per position, kIgnoreIndex: none; empty: the next tokens.
};

/// A text, and the source of an encoder-decoder.
struct GradientText
{
    std::span<const TokenId> ids;
    std::span<const TokenId> source = {};
    std::span<const std::int32_t> segments = {};
};

/// Runs a text forward and backward through a model (no cache, no packed weights) and passes d
/// target / d activation at every site that `gradients` wants, and the activations themselves to
/// `options.observer`. Interventions apply: where one replaces a value, nothing before it has a
/// gradient through it. Returns the target's value. Throws as Model::forward, and ShapeError for a
/// target outside the text or the vocabulary. Throws Error where `memory` bytes do not suffice.
double traceGradients(const Model& model, const GradientText& text, const GradientTarget& target,
                      AttentionBackend& backend, ActivationObserver& gradients,
                      const ForwardOptions& options = {}, std::uint64_t memory = availableMemory());

} // namespace headscope
