#pragma once

#include "ui/pages/head/mean_distances.h"
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

/// Options of the distance view, as stored in sessions.
struct DistanceOptions
{
    enum class Axis { Auto, Every, Doubling }; ///< Auto: doubling from 65 tokens on

    Axis axis = Axis::Auto;
    std::vector<int> headsBySlot; ///< empty: the first eight, the active one among them
    std::optional<int> distance;  ///< pinned

    static DistanceOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// At most eight heads; without a choice of the person, the active head is among them.
HeadChoice distanceHeads(const ViewSnapshot& view, const DistanceOptions& options);

/// Curves of the chosen heads of the active layer; empty where distanceProblem() says why.
DistanceContent distanceContent(const ViewSnapshot& view, const DistanceOptions& options,
                                const HeadChoice& choice);

/// Why there is nothing to show, in one sentence; empty otherwise.
QString distanceProblem(const ViewSnapshot& view);

/// Map with one cell per head, and its legend.
struct DistanceMap
{
    HeadGridContent grid;
    ColourBarContent legend;
};

DistanceMap distanceMap(const ViewSnapshot& view, const MeanDistances& distances);

Figure distanceFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
