#pragma once

#include "ui/session/looking.h"
#include "ui/session/runs/training_record.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/charts/lines/timeline.h"

#include <QJsonObject>

namespace headscope::ui {

/// View options of a run.
struct TrainOptions
{
    enum class Upper { Loss, Accuracy };
    enum class Lower { Scores, GradientNorm, LearningRate };

    Upper upper = Upper::Loss;
    Lower lower = Lower::Scores;
    QString score; ///< Score by a name of HeadCurves; empty: the most informative.
    bool logarithmicSteps = false;
    bool logarithmicValues = false;

    static TrainOptions fromJson(const QJsonObject& object);
    QJsonObject toJson() const;
};

/// State of a run from which all its plots are drawn.
struct TrainPicture
{
    TrainingRecord record;             ///< For a planned run, only its configuration.
    std::optional<std::int64_t> shown; ///< Step of the shown snapshot; none: the newest weights.
    bool running = false;
    TrainOptions options;
    Looking looking;     ///< Null traces where the document shows something else.
    QString title;       ///< Title of the task.
    QString lookFor;     ///< Description of what to watch.
    QString scoreOfTask; ///< Head score of interest for the task; may be empty.
};

/// Horizontal range of steps: from 0 to the last planned one.
ChartAxis stepAxis(const TrainPicture& picture);

LineChartContent upperChart(const TrainPicture& picture);
LineChartContent lowerChart(const TrainPicture& picture);
TimelineContent timelineOf(const TrainPicture& picture);

/// Score from HeadCurves::names(); empty without scores.
QString scoreInUse(const TrainPicture& picture);

} // namespace headscope::ui
