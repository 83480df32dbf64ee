#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Mean weight of rows on their attention sink, see ShownPattern::sink, without rows where it is
/// not defined; none without such a row.
std::optional<double> meanSink(const std::vector<float>& weights);

/// Mean of those that are there; none without any.
std::optional<double> meanOf(const std::vector<std::optional<double>>& masses);

/// Note beside what shows the weights of keys alone: "38 % on attention sinks"; of a difference with
/// its sign. Empty without sinks.
QString sinkNote(std::optional<double> mass, bool isDifference = false);

} // namespace headscope::ui
