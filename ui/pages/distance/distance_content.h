#pragma once

#include "ui/pages/distance/mean_distances.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/charts/distance/distance_curves.h"
#include "ui/widgets/heads/head_choice.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"

#include <QJsonObject>

#include <vector>

namespace headscope::ui {

/// What the page about distance remembers of itself.
struct DistanceOptions
{
    enum class Axis { Auto, Every, Doubling }; ///< Auto: doubling from 65 tokens on

    Axis axis = Axis::Auto;
    std::vector<int> headsBySlot; ///< empty: the first eight, the active one among them
    std::optional<int> distance;  ///< pinned

    static DistanceOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// At most eight hues, the active head among them when nothing else was chosen.
HeadChoice distanceHeads(const ViewSnapshot& view, const DistanceOptions& options);

/// Curves of the active layer's chosen heads; empty when that cannot be shown.
DistanceContent distanceContent(const ViewSnapshot& view, const DistanceOptions& options,
                                const HeadChoice& choice);

/// Why there is nothing to see, one sentence; empty when there is.
QString distanceProblem(const ViewSnapshot& view);

/// The small map: a colour a head, and its scale in words.
struct DistanceMap
{
    HeadGridContent grid;
    ColourBarContent legend;
};

DistanceMap distanceMap(const ViewSnapshot& view, const MeanDistances& distances);

Figure distanceFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
