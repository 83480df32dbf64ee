#pragma once

#include "ui/session/runs/training_record.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/charts/lines/timeline.h"

#include <QJsonObject>

namespace headscope::ui {

/// View options of a run.
struct TrainOptions
{
    enum class Upper { Loss, Accuracy };
    enum class Lower { Scores, GradientNorm, LearningRate, Experts };

    Upper upper = Upper::Loss;
    Lower lower = Lower::Scores;
    QString score; ///< Score by a name of HeadCurves; empty: the most informative.
    bool logarithmicSteps = false;
    bool logarithmicValues = false;
    bool showsExperts = false; ///< Experts in place of the heads' attention.

    static TrainOptions fromJson(const QJsonObject& object);
    QJsonObject toJson() const;
};

/// State of a run from which all its plots are drawn.
struct TrainContent
{
    TrainingRecord record;             ///< For a planned run, only its configuration.
    std::optional<std::int64_t> shown; ///< Step of the shown snapshot; none: the newest weights.
    bool running = false;
    TrainOptions options;
    ViewSnapshot view;   ///< Null traces where the document shows something else.
    QString title;       ///< Title of the task.
    QString lookFor;     ///< Description of what to watch.
    QString scoreOfTask; ///< Head score of interest for the task; may be empty.
};

/// Horizontal range of steps: from 0 to the last planned one.
ChartAxis stepAxis(const TrainContent& trainContent);

LineChartContent upperChart(const TrainContent& trainContent);
LineChartContent lowerChart(const TrainContent& trainContent);
TimelineContent timelineOf(const TrainContent& trainContent);

bool hasExperts(const TrainContent& trainContent); ///< Whether the run measured expert loads.

/// Score from HeadCurves::names(); empty without scores.
QString scoreInUse(const TrainContent& trainContent);

} // namespace headscope::ui
