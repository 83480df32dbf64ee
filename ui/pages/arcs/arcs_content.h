#pragma once

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/widgets/arcs/arcs.h"
#include "ui/widgets/heads/head_choice.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// What the Arcs page remembers of itself.
struct ArcsOptions
{
    MapKind kind = MapKind::Weights; ///< what the curves are: attention or an attribution
    double mass = 0.7;               ///< share of each row that its drawn links cover
    std::vector<int> headsBySlot;    ///< empty: the first that HeadChoice takes
    ArcSide side = ArcSide::Query;   ///< of the pinned pair, the token whose links stand out
    std::optional<ArcEnd> hovered;   ///< only in figures

    static ArcsOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// The heads of the shown part, those of the options switched on.
HeadChoice headChoice(const Looking& looking, const std::vector<int>& headsBySlot);

/// Empty while there is nothing to draw: no trace, or no difference.
/// `runs` are those of the kind of the options; nothing is made of them here.
ArcsContent arcsContent(const Looking& looking, const ArcsOptions& options,
                        const AttributedRuns& runs = {});

/// "[CLS] and [SEP]": the special tokens of the shown part, each once; empty without any.
QString specialTokenNames(const Looking& looking);

/// What the display leaves out: "[CLS] and [SEP]", "the first token" or both; empty for nothing.
QString hiddenTokenNames(const Looking& looking);

/// "229 of 676 links shown · 74 % of the visible attention · 46 % of all attention hidden with
/// [CLS] and [SEP], rows divided by the rest".
QString drawnWords(const ArcsContent& content, const Looking& looking);

/// "Layer 3", "Cross layer 0".
QString layerTitle(const Selection& selection);

} // namespace headscope::ui
