#pragma once

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/widgets/arcs/arcs.h"
#include "ui/widgets/heads/head_choice.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Persistent options of the Arcs page.
struct ArcsOptions
{
    MapKind kind = MapKind::Weights; ///< Quantity shown by the arcs: attention or an attribution.
    double mass = 0.7;               ///< Fraction of each row that its drawn links cover.
    std::vector<int> headsBySlot;  ///< Chosen heads by slot; empty: the first ones, by HeadChoice.
    ArcSide side = ArcSide::Query; ///< Side of the pinned pair whose links are highlighted.
    std::optional<ArcEnd> hovered; ///< Hovered token; used in figures only.

    static ArcsOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// Heads of the shown part that are selected in the options.
HeadChoice headChoice(const ViewSnapshot& view, const std::vector<int>& headsBySlot);

/// Arcs to draw; empty without a trace or a difference. `runs` match the kind in the options; no
/// attribution is computed here.
ArcsContent arcsContent(const ViewSnapshot& view, const ArcsOptions& options,
                        const AttributedRuns& runs = {});

/// Special tokens of the shown part, each once: "[CLS] and [SEP]"; empty without any.
QString specialTokenNames(const ViewSnapshot& view);

/// Hidden tokens by name: "[CLS] and [SEP]", "the first token" or both; empty for none.
QString hiddenTokenNames(const ViewSnapshot& view);

/// Summary text: "229 of 676 links shown · 74 % of the visible attention · 46 % of all attention
/// hidden with [CLS] and [SEP], rows renormalised", and the attention on sinks.
QString drawnText(const ArcsContent& content, const ViewSnapshot& view);

/// Layer label such as "Layer 3", "Cross layer 0".
QString layerTitle(const Selection& selection);

} // namespace headscope::ui
