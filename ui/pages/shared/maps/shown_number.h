#pragma once

#include "core/analysis/derivation/derivation.h"
#include "ui/pages/shared/maps/map_content.h"

#include <QPoint>

namespace headscope::ui {

class HeatmapWidget;

/// A number that a page shows, and the run that it is of. Of a difference it is B's; the page about
/// its origin says A's beside it.
struct ShownNumber
{
    NumberRef number;
    Variant variant = Variant::A;

    friend bool operator==(const ShownNumber&, const ShownNumber&) = default;
};

using MaybeNumber = std::optional<ShownNumber>;

Variant
variantOf(const Looking& looking); ///< A or B: whose number a difference's origin begins with

NumberRef cellNumber(TraceKey key, std::vector<std::int64_t> index);
NumberRef sumNumber(const QString& name, std::vector<NumberRef> parts, double scale = 1.0,
                    std::vector<NumberRef> over = {});
NumberRef productNumber(const QString& name, std::vector<NumberRef> parts, double scale = 1.0);
NumberRef constantNumber(const QString& name, double value);

/// One cell of a head as shownPattern() shows it: a weight, or the sum that stands for words and
/// for rows without special tokens. None outside.
std::optional<NumberRef> weightNumber(const Looking& looking, Variant variant, GridCell head,
                                      HeatmapCell cell);
std::optional<NumberRef> weightNumber(const Looking& looking, const ShownPattern& shown,
                                      GridCell head, HeatmapCell cell);

/// One cell of a large map.
MaybeNumber mapNumber(const Looking& looking, Variant variant, MapKind kind, HeatmapCell cell);

/// The pair that is selected in a head of the active part, in the shown run.
MaybeNumber pairNumber(const Looking& looking, std::optional<GridCell> head = {});

/// Softmax of the logits at a position.
NumberRef probabilityNumber(std::int64_t position, TokenId id);

/// The cell under a place of the screen; without a place the current one.
std::optional<HeatmapCell> cellAt(const HeatmapWidget& map, std::optional<QPoint> place);

/// Where a place of the screen lies in a widget; none outside and where it is hidden.
std::optional<QPointF> within(const QWidget& widget, std::optional<QPoint> place);

} // namespace headscope::ui
