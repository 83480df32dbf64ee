#pragma once

#include "ui/pages/shared/maps/map_kind.h"
#include "ui/session/looking.h"

namespace headscope::ui {

class ChoiceBox;
class SegmentBar;

/// "A | B | B−A", hidden while nothing is changed; B−A says why where it cannot be.
void setUpRuns(SegmentBar& bar);
void refreshRuns(SegmentBar& bar, const Looking& looking);

/// "Encoder | Decoder | Cross" of the shown trace, hidden for models of one stack.
void refreshParts(SegmentBar& bar, const Looking& looking);
AttentionKind partAt(const Looking& looking, int segment);

/// "Weights | Scores | Value-weighted", by MapKind.
void setUpKinds(SegmentBar& bar);

/// What stands in the place of attention, by MapKind.
void setUpMapKinds(ChoiceBox& box, const std::vector<MapKind>& kinds);
MapKind mapKindOf(const ChoiceBox& box);
void setMapKind(ChoiceBox& box, MapKind kind); ///< without a signal

} // namespace headscope::ui
