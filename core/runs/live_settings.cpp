#include "core/runs/live_settings.h"

#include "core/base/error.h"
#include "core/train/files/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace headscope {

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;

const std::vector<std::string> kKeys = {"lr", "batch_size", "dropout", "log_every", "eval_every"};

} // namespace

LiveSettings liveSettingsOf(const TrainingConfig& config)
{
    return {config.optimizer.learningRate, config.batchSize, config.model.dropout, config.logEvery,
            config.evalEvery};
}

void checkLiveSettings(const LiveSettings& settings, const TrainingConfig& config)
{
    liveSettingsFromJson(toJson(settings), settings, "changed settings");
    if (!config.data.batches.empty() && settings.batchSize > config.batchSize)
        throw Error(fmt::format("a file with batches of {} rows cannot give batches of {}",
                                config.batchSize, settings.batchSize),
                    config.data.batches, "Choose a batch of that size, or a smaller one");
    if (settings.batchSize < config.accumulate)
        throw Error(fmt::format("a batch of {} rows cannot be split into {} parts",
                                settings.batchSize, config.accumulate),
                    "batch_size", fmt::format("Choose {} or more", config.accumulate));
}

std::string describeChange(const LiveSettings& before, const LiveSettings& after)
{
    std::vector<std::string> parts;
    const auto compare = [&](const char* name, auto LiveSettings::*field) {
        if (before.*field != after.*field)
            parts.push_back(fmt::format("{} {} -> {}", name, before.*field, after.*field));
    };
    compare("learning rate", &LiveSettings::learningRate);
    compare("batch", &LiveSettings::batchSize);
    compare("dropout", &LiveSettings::dropout);
    compare("steps between lines", &LiveSettings::logEvery);
    compare("steps between evaluations", &LiveSettings::evalEvery);
    return fmt::format("{}", fmt::join(parts, ", "));
}

nlohmann::json toJson(const LiveSettings& settings)
{
    return {{"lr", settings.learningRate},
            {"batch_size", settings.batchSize},
            {"dropout", settings.dropout},
            {"log_every", settings.logEvery},
            {"eval_every", settings.evalEvery}};
}

LiveSettings liveSettingsFromJson(const nlohmann::json& object, const LiveSettings& base,
                                  const std::string& where)
{
    const JsonFields fields(object, "the settings", kKeys, where);
    LiveSettings settings = base;
    fields.read("lr", settings.learningRate, 0.0, 1000.0);
    fields.read("batch_size", settings.batchSize, 1, 1 << 20);
    fields.read("dropout", settings.dropout, 0.0, 0.99);
    fields.read("log_every", settings.logEvery, 0, kMost);
    fields.read("eval_every", settings.evalEvery, 0, kMost);
    return settings;
}

} // namespace headscope
