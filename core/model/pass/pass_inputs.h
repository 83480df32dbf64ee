#pragma once

#include "core/model/pass/program.h"
#include "core/ops/cross_entropy.h"

#include <cstdint>
#include <span>

namespace headscope {

/// Rows of one pass: `sequences` sequences of equal length, padding included.
struct PassTexts
{
    std::int64_t sequences = 1;
    std::int64_t queryTokens = 0;             ///< Computed tokens per sequence.
    std::int64_t firstPosition = 0;           ///< Position of the first computed token.
    std::int64_t memoryTokens = 0;            ///< Source tokens per sequence.
    std::span<const std::int32_t> ids;        ///< Token ids [sequences * queryTokens].
    std::span<const std::int32_t> segments;   ///< Segments [sequences * queryTokens], or empty.
    const std::uint8_t* keyMask = nullptr;    ///< Key mask [sequences, key tokens], 0 = padding.
    const std::uint8_t* memoryMask = nullptr; ///< Memory mask [sequences, memoryTokens].
    /// Mask [query tokens, key tokens] for all sequences, 1 = may attend.
    const std::uint8_t* cells = nullptr;

    std::int64_t keyTokens() const { return firstPosition + queryTokens; }

    std::int64_t count(Rows rows) const;
};

/// Targets of the loss, and the weight of each part.
struct PassLoss
{
    std::span<const std::int32_t> targets;      ///< Targets [sequences * queryTokens].
    std::span<const std::int32_t> nextSentence; ///< Next-sentence targets [sequences], or empty.
    float scale = 1.0F;                         ///< Factor of every target's loss.
    float nextSentenceScale = 1.0F;
    double balanceScale = 0.0; ///< Factor of the balancing loss of one sequence and layer.
    float smoothing = 0.0F;
    LabelSmoothing convention = LabelSmoothing::Uniform;

    double sum = 0.0; ///< Result: loss of all targets in nats.
    double nextSentenceSum = 0.0;
    double balanceSum = 0.0;
    std::int64_t right = 0; ///< Targets with the highest score; not counted while training.
};

/// Identifies the dropout decisions: none without a probability.
struct PassDropout
{
    bool active = false;
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    /// Index within the whole batch: decisions do not depend on the split.
    std::int64_t firstSequence = 0;
};

} // namespace headscope
