#pragma once

#include "core/train/files/training_config.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

/// What may change between two steps without a reset. Intervals change no number of the training.
struct LiveSettings
{
    double learningRate = 0.0; ///< peak of the schedule, its factor for Noam
    std::int64_t batchSize = 0;
    double dropout = 0.0;      ///< of residual branches, and of what has no dropout of its own
    std::int64_t logEvery = 0; ///< steps between two lines of the log; 0: after the last step alone
    std::int64_t evalEvery = 0; ///< 0: after the last step alone

    friend bool operator==(const LiveSettings&, const LiveSettings&) = default;
};

LiveSettings liveSettingsOf(const TrainingConfig& config);

/// Throws Error, one sentence, for a value that is out of range or that the data cannot give.
void checkLiveSettings(const LiveSettings& settings, const TrainingConfig& config);

/// What differs, for people: "learning rate 0.003 -> 0.001, dropout 0 -> 0.1". Empty when equal.
std::string describeChange(const LiveSettings& before, const LiveSettings& after);

nlohmann::json toJson(const LiveSettings& settings);

/// Keys that are absent stay as in `base`. Throws Error.
LiveSettings liveSettingsFromJson(const nlohmann::json& object, const LiveSettings& base,
                                  const std::string& where);

} // namespace headscope
