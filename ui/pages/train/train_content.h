#pragma once

#include "ui/session/looking.h"
#include "ui/session/runs/training_record.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/charts/lines/timeline.h"

#include <QJsonObject>

namespace headscope::ui {

/// What the person chose to see of a run.
struct TrainOptions
{
    enum class Upper { Loss, Accuracy };
    enum class Lower { Scores, GradientNorm, LearningRate };

    Upper upper = Upper::Loss;
    Lower lower = Lower::Scores;
    QString score; ///< a name of HeadCurves; empty: the one that tells most
    bool logarithmicSteps = false;
    bool logarithmicValues = false;

    static TrainOptions fromJson(const QJsonObject& object);
    QJsonObject toJson() const;
};

/// A run as its pictures need it: everything is a function of these.
struct TrainPicture
{
    TrainingRecord record;             ///< of a run that is planned: its configuration alone
    std::optional<std::int64_t> shown; ///< a moment's step; none: the newest weights
    bool running = false;
    TrainOptions options;
    Looking looking;     ///< null traces where the run is not what the document shows
    QString title;       ///< of the task
    QString lookFor;     ///< what to watch
    QString scoreOfTask; ///< the head score that the task is about; may be empty
};

/// Steps across: from 0 to the last planned one.
ChartAxis stepAxis(const TrainPicture& picture);

LineChartContent upperChart(const TrainPicture& picture);
LineChartContent lowerChart(const TrainPicture& picture);
TimelineContent timelineOf(const TrainPicture& picture);

QString scoreInUse(const TrainPicture& picture); ///< of HeadCurves::names(); empty without scores

} // namespace headscope::ui
