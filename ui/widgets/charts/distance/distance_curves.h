#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Distances that share one point of a curve; positive ones are behind the query.
struct DistanceBin
{
    int first = 0;
    int last = 0;

    bool isSingle() const { return first == last; }

    friend bool operator==(const DistanceBin&, const DistanceBin&) = default;
};

struct DistanceCurve
{
    int head = 0;
    int slot = 0;               ///< Slot of the hue; from 8 on dashed.
    std::vector<double> values; ///< One value per bin.
};

struct DistanceContent
{
    std::vector<DistanceBin> bins;
    std::vector<DistanceCurve> curves;
    /// Mean weight of the heads on attention sinks, which have no distance; none without sinks.
    std::optional<double> sinkMass;
    int subject = -1;          ///< Emphasised head.
    std::optional<int> bin;    ///< Bin under the cursor.
    bool isDifference = false; ///< B - A
    bool words = false;        ///< True for distances in words, not tokens.
    bool stale = false;

    bool isEmpty() const { return bins.empty() || curves.empty(); }

    bool isTwoSided() const { return !bins.empty() && bins.front().first < 0; }

    bool isBinned() const; ///< True if some bins contain several distances.
};

QString distanceText(const DistanceContent& content, int bin); ///< Text such as "5 tokens back".
QString binLabel(DistanceBin bin);                             ///< Label such as "5" or "4\u20137".

/// Text such as "5 tokens back: head 3 0.120, head 1 0.080", the emphasised head first.
QString describeBin(const DistanceContent& content, int bin);

} // namespace headscope::ui
