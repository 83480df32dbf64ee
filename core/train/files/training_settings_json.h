#pragma once

#include "core/train/files/training_settings.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

/// Parses the `schedule` object of a training configuration. By default total_steps is `steps` and
/// d_model that of the model.
ScheduleSettings scheduleFromJson(const nlohmann::json& object, std::int64_t steps,
                                  std::int64_t dModel, const std::string& where);
nlohmann::json toJson(const ScheduleSettings& schedule);

/// Parses the `optimizer` object. By default weight_decay is 0.1 for adamw and 0 for the others,
/// and lr is 1 for the schedule "noam", which uses it as a factor.
OptimizerSettings optimizerFromJson(const nlohmann::json& object, ScheduleSettings::Kind schedule,
                                    const std::string& where);
nlohmann::json toJson(const OptimizerSettings& optimizer);

} // namespace headscope
