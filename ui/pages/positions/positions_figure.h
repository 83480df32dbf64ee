#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Figure of the positions page with its `options`; without any, 64 sinusoidal dimensions.
Figure positionsFigure(const ViewSnapshot& view, const QJsonObject& options);

/// Content of the options with a model: its learned embeddings, and sliders clamped to their
/// ranges.
PositionsContent positionsContent(const LoadedModel& model, const QJsonObject& options);
QJsonObject positionsOptions(const PositionsContent& content);

/// Vectors that a scheme adds, row by row: computed or learned.
PositionTable tableOf(Positions scheme, int dimensions, double base, const PositionTable& learned);

/// First rows of the learned position embedding matrix; empty without one.
PositionTable learnedTable(const LoadedModel& model);
std::string learnedTableName(const LoadedModel& model); ///< Name of the parameter.

} // namespace headscope::ui
