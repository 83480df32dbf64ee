#pragma once

#include "core/train/files/training_config.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

/// Settings that may change between two steps without a restart. Intervals do not affect the
/// numbers of the training.
struct LiveSettings
{
    double learningRate = 0.0; ///< Peak of the schedule, its factor for Noam.
    std::int64_t batchSize = 0;
    /// Dropout of residual branches, and of all parts without a separate setting.
    double dropout = 0.0;
    std::int64_t logEvery = 0; ///< Steps between two lines of the log; 0: only after the last step.
    std::int64_t evalEvery = 0; ///< 0: only after the last step.

    friend bool operator==(const LiveSettings&, const LiveSettings&) = default;
};

LiveSettings liveSettingsOf(const TrainingConfig& config);

/// Throws a one-sentence Error for a value that is out of range or that the data cannot provide.
void checkLiveSettings(const LiveSettings& settings, const TrainingConfig& config);

/// The differences as text: "learning rate 0.003 -> 0.001, dropout 0 -> 0.1". Empty when equal.
std::string describeChange(const LiveSettings& before, const LiveSettings& after);

nlohmann::json toJson(const LiveSettings& settings);

/// Absent keys keep their value in `base`. Throws Error.
LiveSettings liveSettingsFromJson(const nlohmann::json& object, const LiveSettings& base,
                                  const std::string& where);

} // namespace headscope
