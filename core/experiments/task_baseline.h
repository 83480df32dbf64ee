#pragma once

#include "core/train/data/prepared_data.h"
#include "core/train/files/training_config.h"

#include <stop_token>
#include <string>

namespace headscope {

/// Result that needs no model, computed from the data: compare a TaskEvaluation::Number.
struct TaskBaseline
{
    std::string name;   ///< For example "always the most frequent answer".
    std::string number; ///< For example "token_accuracy", "validation_loss".
    double value = 0.0;
};

/// Takes up to seconds for text (Kneser-Ney of order 3), no time for the others. Throws Cancelled.
TaskBaseline taskBaseline(const TrainingConfig& config, const PreparedData& data,
                          std::stop_token stop = {});

} // namespace headscope
