#pragma once

#include "core/train/files/training_settings.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

/// The `schedule` object of a training configuration. Unless given, total_steps is `steps` and
/// d_model that of the model.
ScheduleSettings scheduleFromJson(const nlohmann::json& object, std::int64_t steps,
                                  std::int64_t dModel, const std::string& where);
nlohmann::json toJson(const ScheduleSettings& schedule);

/// The `optimizer` object. Unless given, weight_decay is 0.1 for adamw and 0 for the others, and lr
/// is 1 for the schedule "noam", whose factor it is.
OptimizerSettings optimizerFromJson(const nlohmann::json& object, ScheduleSettings::Kind schedule,
                                    const std::string& where);
nlohmann::json toJson(const OptimizerSettings& optimizer);

} // namespace headscope
