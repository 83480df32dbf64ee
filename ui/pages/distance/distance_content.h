#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/session/looking.h"
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
HeadChoice distanceHeads(const Looking& looking, const DistanceOptions& options);

/// Curves of the active layer's chosen heads; empty when that cannot be shown.
DistanceContent distanceContent(const Looking& looking, const DistanceOptions& options,
                                const HeadChoice& choice);

/// Why there is nothing to see, one sentence; empty when there is.
QString distanceProblem(const Looking& looking);

/// Mean distance of all heads of the active part, or what B adds to it. Computed head by head, so
/// that a page can stop between them.
class HeadDistances
{
public:
    void start(const Looking& looking); ///< keeps what is known of the same picture

    bool isDone() const { return m_next >= m_values.size(); }

    void step(const Looking& looking); ///< the next head

    int layers() const { return m_layers; }

    int heads() const { return m_heads; }

    double at(GridCell head) const; ///< NaN while not computed, or not defined

    double largest() const; ///< magnitude; 0 without any

private:
    TracePtr m_a, m_b;
    Variant m_shown = Variant::A;
    AttentionKind m_part = AttentionKind::Self;
    TokenDisplay m_display;
    int m_layers = 0;
    int m_heads = 0;
    std::size_t m_next = 0;
    std::vector<double> m_values; ///< [layers][heads]
};

/// sum A |i - j| / sum A of one head as shown; NaN without such a head.
double headDistance(const Looking& looking, Variant variant, GridCell head);

/// The small map: a colour a head, and its scale in words.
struct DistanceMap
{
    HeadGridContent grid;
    ColourBarContent legend;
};

DistanceMap distanceMap(const Looking& looking, const HeadDistances& distances);

Figure distanceFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
