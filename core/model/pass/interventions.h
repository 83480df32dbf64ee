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

/// Positions that replace the model's own.
struct PositionsChoice
{
    Positions kind =
        Positions::None;   ///< Learned and RelativeBuckets: only where the model has them.
    double base = 10000.0; ///< Sinusoidal N or rotary theta.

    friend bool operator==(const PositionsChoice&, const PositionsChoice&) = default;
};

/// Values that replace the computed ones at one site: a patch from another trace, a mean over a
/// set, a resampled head, a frozen pattern. Scores cannot be patched, since patterns are computed
/// from them.
struct Patch
{
    TraceKey key;
    /// Shaped like the site, heads included, with any number of rows: a single row applies to every
    /// position; several apply to one position each, and positions beyond them keep their computed
    /// values. A pattern's rows may have fewer keys: the weights of the others are 0.
    std::shared_ptr<const Tensor> values;
    std::optional<int> head;             ///< Head to patch, at a site with heads; empty: all.
    std::vector<std::int64_t> positions; ///< Rows (queries of a pattern); empty: all.
};

/// New weights in one row of a pattern.
struct PatternEdit
{
    TraceKey key; ///< Key of a Pattern or CrossPattern.
    int head = 0;
    std::int64_t query = 0;
    std::optional<std::int64_t> keyToken; ///< Edits this cell alone; otherwise the whole row.
    std::vector<float> weights;           ///< One, or as many as there are keys.
    /// Edits of a cell: renormalises the other weights so that the row's sum is unchanged.
    bool rescale = false;

    friend bool operator==(const PatternEdit&, const PatternEdit&) = default;
};

/// Changes to one forward pass. A field at its default changes nothing.
struct Interventions
{
    /// Replaces the model's own mask in self-attention (of the decoder, where there are two
    /// stacks).
    std::optional<AttentionMask> mask;
    /// Mask [n, n] of the whole text, 1 = may attend; applies whenever not empty, whatever
    /// mask->allowed points to.
    std::vector<std::uint8_t> maskCells;
    std::optional<PositionsChoice> positions;
    std::vector<HeadId> ablatedHeads; ///< Heads whose z is set to 0.
    std::vector<Patch> patches;       ///< Applied in order at each site.
    std::vector<PatternEdit> patternEdits;

    bool changeActivations() const
    {
        return !ablatedHeads.empty() || !patches.empty() || !patternEdits.empty();
    }
};

/// Settings that affect the numbers besides the tokens, as readable JSON: {"mask", "ablate"} and,
/// where there are any, "attention_sinks" (true), "mask_cells" (a string of 0 and 1 for each
/// query), "positions", "patches" (site, head, positions, shape of the values) and "edits".
nlohmann::json settingsJson(const ModelConfig& config, std::int64_t tokens,
                            const Interventions& interventions);

} // namespace headscope
