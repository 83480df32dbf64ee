#pragma once

#include "core/analysis/heads/head_composition.h"
#include "core/analysis/heads/head_distances.h"
#include "core/analysis/heads/head_map.h"
#include "core/analysis/scores/head_table.h"

namespace headscope {

/// Which heads of one kind of attention behave alike on a text: Jensen-Shannon distances, a plane in which
/// they are as near as may be kept, and clusters by average linkage.
struct HeadLikeness
{
    TracePtr trace;
    AttentionKind attention = AttentionKind::Self;
    std::string whyNot; ///< one sentence; then all else is empty
    HeadDistances distances;
    PlaneMap plane;
    std::vector<std::size_t> clusters; ///< of each head
    std::size_t clusterCount = 0;

    std::optional<std::size_t> indexOf(HeadId head) const;
    HeadId headAt(std::size_t index) const;

    struct Near
    {
        HeadId head;
        double distance = 0.0; ///< mean over the queries, 0 to ln 2
    };

    std::vector<Near> nearest(HeadId head, std::size_t count) const;
};

using HeadLikenessPtr = std::shared_ptr<const HeadLikeness>;

/// Rows compared of a long text: enough for a picture, and soon done.
constexpr std::int64_t kLikenessQueries = 48;

/// Throws Cancelled.
HeadLikenessPtr compareHeads(const TracePtr& trace, AttentionKind attention,
                             const std::stop_token& stop = {});

/// What one head's weights say.
struct HeadWeights
{
    HeadId head;
    std::string whyNot; ///< one sentence; then all else is empty
    CircuitSpectra spectra;

    /// The earlier heads that it reads most from, by way: above what random heads have.
    struct Reading
    {
        HeadId earlier;
        char way = 'K';     ///< 'Q', 'K' or 'V'
        double above = 0.0; ///< composition less the baseline
    };

    std::vector<Reading> readings; ///< largest first; empty in the first layer
    double baseline = 0.0;
};

using HeadWeightsPtr = std::shared_ptr<const HeadWeights>;

/// Throws Cancelled.
HeadWeightsPtr readHeadWeights(const Model& model, HeadId head, const std::stop_token& stop = {},
                               std::size_t mostReadings = 6);

} // namespace headscope
