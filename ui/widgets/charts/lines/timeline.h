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
struct TimelineMoment
{
    double step = 0.0;
    bool pinned = false;

    friend bool operator==(const TimelineMoment&, const TimelineMoment&) = default;
};

struct TimelineContent
{
    ChartAxis x;                         ///< of the charts above
    std::vector<TimelineMoment> moments; ///< rising
    std::vector<double> jumps;           ///< where they begin
    double trained = 0.0;                ///< steps made so far
    std::optional<int> shown;            ///< a moment's index; none: the newest weights
    bool running = false;                ///< more steps are being made
    QString note;                        ///< "48 snapshots, 7.9 MB"

    double shownStep() const;
};

/// The moment nearest to `step`; -1 without moments.
int nearestMoment(const TimelineContent& content, double step);

/// "following live", "step 400 of 1 900, back to live".
QString timelineWords(const TimelineContent& content);

/// Where things lie; left and right edge are those of a LineChartAxes in the same area.
class TimelineLayout
{
public:
    TimelineLayout(QRectF area, const TimelineContent& content, const Theme& theme);

    QRectF header() const { return m_header; }

    QRectF track() const { return m_track; }

    QRectF link() const { return m_link; } ///< of timelineWords, at the right

    double x(double step) const;
    double stepAt(double x) const;

private:
    QRectF m_header, m_track, m_link;
    ChartAxis m_x;
};

void paintTimeline(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                   const Theme& theme);

} // namespace headscope::ui
