#pragma once

#include "core/analysis/derivation/derivation.h"
#include "ui/pages/shared/maps/map_content.h"

#include <QPoint>

namespace headscope::ui {

class HeatmapWidget;

/// A number shown on a page, and its variant. For a difference it is B's; the page about its origin
/// shows A's beside it.
struct ShownNumber
{
    NumberRef number;
    Variant variant = Variant::A;

    friend bool operator==(const ShownNumber&, const ShownNumber&) = default;
};

using MaybeNumber = std::optional<ShownNumber>;

/// A or B: variant at which a difference's origin starts.
Variant variantOf(const ViewSnapshot& view);

NumberRef cellNumber(TraceKey key, std::vector<std::int64_t> index);
NumberRef sumNumber(const QString& name, std::vector<NumberRef> parts, double scale = 1.0,
                    std::vector<NumberRef> over = {});
NumberRef productNumber(const QString& name, std::vector<NumberRef> parts, double scale = 1.0);
NumberRef constantNumber(const QString& name, double value);

/// Derivation of a cell of a head in shownPattern(): a weight, or the sum for words and for rows
/// without special tokens. None outside.
std::optional<NumberRef> weightNumber(const ViewSnapshot& view, Variant variant, GridCell head,
                                      HeatmapCell cell);
std::optional<NumberRef> weightNumber(const ViewSnapshot& view, const ShownPattern& shown,
                                      GridCell head, HeatmapCell cell);

/// Derivation of a cell of a large map.
MaybeNumber mapNumber(const ViewSnapshot& view, Variant variant, MapKind kind, HeatmapCell cell);

/// Derivation of the selected pair in a head of the active part, in the shown variant.
MaybeNumber pairNumber(const ViewSnapshot& view, std::optional<GridCell> head = {});

/// Derivation of a softmax of the logits at a position.
NumberRef probabilityNumber(std::int64_t position, TokenId id);

/// Cell at a screen position; without one, the current cell. None on an attention sink.
std::optional<HeatmapCell> cellAt(const HeatmapWidget& map, std::optional<QPoint> place);

/// Widget coordinates of a screen position; none outside and where the widget is hidden.
std::optional<QPointF> within(const QWidget& widget, std::optional<QPoint> place);

} // namespace headscope::ui
