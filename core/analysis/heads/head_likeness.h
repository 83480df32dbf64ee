#pragma once

#include "core/analysis/heads/head_composition.h"
#include "core/analysis/heads/head_distances.h"
#include "core/analysis/heads/head_map.h"
#include "core/analysis/scores/head_table.h"

namespace headscope {

/// Similarity of the heads of one attention kind on a text: Jensen-Shannon distances, a plane that
/// preserves them as well as possible, and clusters by average linkage.
struct HeadLikeness
{
    TracePtr trace;
    AttentionKind attention = AttentionKind::Self;
    std::string whyNot; ///< Reason in one sentence; all else is then empty.
    HeadDistances distances;
    PlaneMap plane;
    std::vector<std::size_t> clusters; ///< Cluster of each head.
    std::size_t clusterCount = 0;

    std::optional<std::size_t> indexOf(HeadId head) const;
    HeadId headAt(std::size_t index) const;

    struct Near
    {
        HeadId head;
        double distance = 0.0; ///< Mean over the queries, 0 to ln 2.
    };

    std::vector<Near> nearest(HeadId head, std::size_t count) const;
};

using HeadLikenessPtr = std::shared_ptr<const HeadLikeness>;

/// Number of rows compared of a long text: enough for a map, and fast.
constexpr std::int64_t kLikenessQueries = 48;

/// Compares the heads of a trace. Throws Cancelled.
HeadLikenessPtr compareHeads(const TracePtr& trace, AttentionKind attention,
                             const std::stop_token& stop = {});

/// Properties of one head's weights.
struct HeadWeights
{
    HeadId head;
    std::string whyNot; ///< Reason in one sentence; all else is then empty.
    CircuitSpectra spectra;

    /// The earlier heads with the strongest composition per way, relative to random heads.
    struct Reading
    {
        HeadId earlier;
        char way = 'K';     ///< Way of composition: 'Q', 'K' or 'V'.
        double above = 0.0; ///< Composition minus the baseline.
    };

    std::vector<Reading> readings; ///< Largest first; empty in the first layer.
    double baseline = 0.0;
};

using HeadWeightsPtr = std::shared_ptr<const HeadWeights>;

/// Computes the properties of a head's weights. Throws Cancelled.
HeadWeightsPtr readHeadWeights(const Model& model, HeadId head, const std::stop_token& stop = {},
                               std::size_t mostReadings = 6);

} // namespace headscope
