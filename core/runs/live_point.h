#pragma once

#include "core/runs/head_curves.h"
#include "core/runs/run_event.h"
#include "core/train/training_progress.h"

#include <memory>
#include <vector>

namespace headscope {

/// What one step of a LiveRun gave.
struct LivePoint
{
    TrainingProgress progress; ///< report, held-out loss and accuracy, norms, tokens a second
    bool isLogged = false;     ///< it is a line of log.jsonl; the norms and tokens/s are of such
    bool isSaved = false;      ///< a snapshot of this step went into the timeline
    std::shared_ptr<const HeadScorePoint> scores; ///< null where the heads were not measured
    std::vector<RunEvent> events;                 ///< since the point before
    double secondsTrained = 0.0; ///< in steps of this process, with all that comes after them
    double secondsLeft = 0.0;    ///< to the last step at that speed
};

} // namespace headscope
