#pragma once

#include "ui/pages/shared/changes/change_effect.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/charts/bars/bars.h"

namespace headscope::ui {

/// The active head of A, of B (A's as long as nothing is changed) or of B - A, on fixed scales,
/// with what a hand has blocked. Empty while B is being computed and where A and B cannot be
/// subtracted.
MapWithLegend whatIfMap(const Looking& looking, Variant variant);

/// Cells of the shown rows and columns in which a hand has blocked every pair of tokens; null
/// without any.
std::shared_ptr<const std::vector<std::uint8_t>> paintedCells(const MaskChange& mask,
                                                              const ShownPattern& shown);

/// The most probable next tokens of A and B, by the larger of both; B as value, A as before.
std::vector<Bar> comparedPredictions(const Looking& looking, int count);

/// One of those bars: the probability in run A or B.
MaybeNumber predictionNumber(const Looking& looking, Variant variant, int bar, int count);

/// Weight moved per row, heads down and layers across.
HeatmapContent movedContent(const Looking& looking, const ChangeEffect& effect);

/// "3 changes", or the only one in words.
QString changesNote(const Changes& changes);

/// A, B and B - A side by side, and the next token below.
Figure whatIfFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
