#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Positions as they stand: `options` are those of the page; without any, 64 sinusoids.
Figure positionsFigure(const Looking& looking, const QJsonObject& options);

/// What the options mean with a model: its learned table, the sliders within their ranges.
PositionsContent positionsContent(const LoadedModel& model, const QJsonObject& options);
QJsonObject positionsOptions(const PositionsContent& content);

/// The vectors that a scheme adds, row by row: computed, or those that were learned.
PositionTable tableOf(Positions scheme, int dimensions, double base, const PositionTable& learned);

/// The first rows of a learned table; empty without one.
PositionTable learnedTable(const LoadedModel& model);
std::string learnedTableName(const LoadedModel& model); ///< of the parameter

} // namespace headscope::ui
