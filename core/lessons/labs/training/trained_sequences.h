#pragma once

#include "core/lessons/labs/training/short_training.h"
#include "core/train/measures/task_evaluation.h"

#include <memory>
#include <optional>

namespace headscope {

/// Encoder-decoder trained by a lab, with what it was measured to do.
struct TrainedSequences
{
    ShortTraining training;
    PreparedData data;
    LabChart::Series exact{"all right", {}, {}}; ///< Fraction of exact answers by step.
    LabChart::Series bleu{"BLEU", {}, {}};       ///< BLEU of greedy answers by step, 0 to 1.
    /// Head of cross-attention with the largest weight on the symbols that matter.
    std::optional<TaskEvaluation::BestHead> head;

    LoadedModel model() const;
};

/// Trains resources/training/NAME.json for `steps` steps, or returns the result of an earlier call
/// in this process with the same arguments and backend: a control that needs no other training is
/// answered at once. Reports progress. Throws Cancelled.
std::shared_ptr<const TrainedSequences> trainSequences(const std::string& name, std::int64_t steps,
                                                       const LabContext& context,
                                                       const std::stop_token& stop);

} // namespace headscope
