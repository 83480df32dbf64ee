#pragma once

#include "ui/widgets/charts/scene/chart_axis.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// A snapshot that can be shown.
struct TimelineMark
{
    double step = 0.0;
    bool pinned = false;

    friend bool operator==(const TimelineMark&, const TimelineMark&) = default;
};

struct TimelineContent
{
    ChartAxis x;                         ///< Axis of the charts above.
    std::vector<TimelineMark> snapshots; ///< Snapshots by ascending step.
    std::vector<double> jumps;           ///< First steps of the jumps.
    double trained = 0.0;                ///< Number of steps trained so far.
    std::optional<int> shown;            ///< Index of the shown snapshot; none: the newest weights.
    bool running = false;                ///< True while training continues.
    bool canGrow = true;                 ///< False where no snapshot will be added.
    QString note;                        ///< Note such as "48 snapshots, 7.9 MB".

    double shownStep() const;
};

/// Index of the snapshot nearest to `step`; -1 without snapshots.
int nearestSnapshot(const TimelineContent& content, double step);

/// Text such as "following live" or "step 400 of 1 900, back to live".
QString timelineText(const TimelineContent& content);

/// Layout of a timeline; its left and right edges are those of a LineChartAxes in the same area.
class TimelineLayout
{
public:
    TimelineLayout(QRectF area, const TimelineContent& content, const Theme& theme);

    QRectF header() const { return m_header; }

    QRectF track() const { return m_track; }

    QRectF link() const { return m_link; } ///< Area of the link timelineText, at the right.

    double x(double step) const;
    double stepAt(double x) const;

private:
    QRectF m_header, m_track, m_link;
    ChartAxis m_x;
};

void paintTimeline(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                   const Theme& theme);

} // namespace headscope::ui
