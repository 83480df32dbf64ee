#pragma once

#include "ui/pages/shared/changes/change_effect.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/charts/bars/bars.h"

namespace headscope::ui {

/// Active head of A, of B (A's while there are no changes) or of B−A, on fixed scales, with cells
/// blocked by hand. Empty while B is being computed and where A and B are not comparable.
MapWithLegend whatIfMap(const ViewSnapshot& view, Variant variant);

/// Cells of the shown rows and columns in which every pair of tokens is blocked by hand; null
/// without any.
std::shared_ptr<const std::vector<std::uint8_t>> paintedCells(const MaskChange& mask,
                                                              const ShownPattern& shown);

/// Most probable next tokens of A and B, by the larger of both; B as value, A as before.
std::vector<Bar> comparedPredictions(const ViewSnapshot& view, int count);

/// Derivation of one of those bars: the probability in variant A or B.
MaybeNumber predictionNumber(const ViewSnapshot& view, Variant variant, int bar, int count);

/// Weight moved per row, heads down and layers across.
HeatmapContent movedContent(const ViewSnapshot& view, const ChangeEffect& effect);

/// Text such as "3 changes", or a description of the only one.
QString changesNote(const Changes& changes);

/// A, B and B−A side by side, with the next token below.
Figure whatIfFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
