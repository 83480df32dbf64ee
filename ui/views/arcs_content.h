#pragma once

#include "ui/views/figure.h"
#include "ui/widgets/arcs.h"
#include "ui/widgets/head_choice.h"

namespace headscope::ui {

/// What the Arcs page remembers of itself.
struct ArcsOptions
{
    double mass = 0.7;             ///< share of each row that its drawn links cover
    std::vector<int> headsBySlot;  ///< empty: the first that HeadChoice takes
    ArcSide side = ArcSide::Query; ///< of the pinned pair, the token whose links stand out
    std::optional<ArcEnd> hovered; ///< only in figures

    static ArcsOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// The heads of the shown part, those of the options switched on.
HeadChoice headChoice(const Looking& looking, const std::vector<int>& headsBySlot);

/// Empty while there is nothing to draw: no trace, or no difference.
ArcsContent arcsContent(const Looking& looking, const ArcsOptions& options);

/// "[CLS] and [SEP]": the special tokens of the shown part, each once; empty without any.
QString specialTokenNames(const Looking& looking);

/// "229 of 676 links shown · 74 % of the visible attention · 46 % of all attention hidden with
/// [CLS] and [SEP]".
QString drawnWords(const ArcsContent& content, const Looking& looking);

/// "Layer 3", "Cross layer 0".
QString layerTitle(const Selection& selection);

Figure arcsFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
