#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/config/model_settings.h"
#include "core/tensor/tensor.h"
#include "core/trace/head_id.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace headscope {

struct ModelConfig;

/// Positions in place of the model's own: those are left out, these are applied.
struct PositionsChoice
{
    Positions kind =
        Positions::None;   ///< Learned and RelativeBuckets: only where the model has them
    double base = 10000.0; ///< sinusoidal N, rotary theta

    friend bool operator==(const PositionsChoice&, const PositionsChoice&) = default;
};

/// Values that take the place of the computed ones at one site: a patch from another trace, a mean
/// over a set, a resampled head, a frozen pattern. Scores take none, since patterns come after
/// them.
struct Patch
{
    TraceKey key;
    /// As the site, heads included, with any number of rows: one holds for every position; of more,
    /// each for its own, and positions beyond them keep what is computed. A pattern's rows may have
    /// fewer keys: the weights of the others are 0.
    std::shared_ptr<const Tensor> values;
    std::optional<int> head;             ///< of a site with heads: this one alone
    std::vector<std::int64_t> positions; ///< rows (queries of a pattern); empty: all
};

/// New weights in one row of a pattern.
struct PatternEdit
{
    TraceKey key; ///< a Pattern or CrossPattern
    int head = 0;
    std::int64_t query = 0;
    std::optional<std::int64_t> keyToken; ///< this cell alone; otherwise the whole row
    std::vector<float> weights;           ///< one, or as many as there are keys
    bool rescale = false; ///< a cell's row: the others shrink or grow so that the sum stays

    friend bool operator==(const PatternEdit&, const PatternEdit&) = default;
};

/// Changes to one forward pass. All of it undone by leaving the field at its default.
struct Interventions
{
    std::optional<AttentionMask> mask;   ///< instead of the model's own in self-attention (of the
                                         ///< decoder, where there are two stacks)
    std::vector<std::uint8_t> maskCells; ///< [n, n] of the whole text, 1 = may attend; in force
                                         ///< whenever not empty, whatever mask->allowed points to
    std::optional<PositionsChoice> positions;
    std::vector<HeadId> ablatedHeads; ///< their z is 0
    std::vector<Patch> patches;       ///< in order, at each site
    std::vector<PatternEdit> patternEdits;

    bool changeActivations() const
    {
        return !ablatedHeads.empty() || !patches.empty() || !patternEdits.empty();
    }
};

/// What decides the numbers besides the tokens, for a person to read: {"mask", "ablate"} and, where
/// there are any, "mask_cells" (a string of 0 and 1 for each query), "positions", "patches" (site,
/// head, positions, shape of the values) and "edits".
nlohmann::json settingsJson(const ModelConfig& config, std::int64_t tokens,
                            const Interventions& interventions);

} // namespace headscope
