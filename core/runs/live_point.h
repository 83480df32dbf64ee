#pragma once

#include "core/runs/head_curves.h"
#include "core/runs/run_event.h"
#include "core/train/training_progress.h"

#include <memory>
#include <vector>

namespace headscope {

/// Result of one step of a LiveRun.
struct LivePoint
{
    TrainingProgress progress; ///< Report, held-out loss and accuracy, norms, tokens per second.
    bool isLogged = false; ///< True for a line of log.jsonl; only these have norms and tokens/s.
    bool isSaved = false;  ///< True if a snapshot of this step went into the timeline.
    std::shared_ptr<const HeadScorePoint> scores; ///< Null if the heads were not measured.
    std::vector<RunEvent> events;                 ///< Events since the previous point.
    double secondsTrained = 0.0; ///< Time in steps of this process, including all work after them.
    double secondsLeft = 0.0;    ///< Estimate until the last step at that speed.
};

} // namespace headscope
