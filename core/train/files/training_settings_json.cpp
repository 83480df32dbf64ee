#include "core/train/files/training_settings_json.h"

#include "core/train/files/json_fields.h"

#include <nlohmann/json.hpp>

namespace headscope {

using nlohmann::json;

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;

const std::vector<std::string> kOptimizers = {"adamw", "adam", "sgd"};
const std::vector<std::string> kSchedules = {"constant", "warmup_cosine", "warmup_cosine_floor",
                                             "warmup_linear", "noam"};

} // namespace

ScheduleSettings scheduleFromJson(const json& object, std::int64_t steps, std::int64_t dModel,
                                  const std::string& where)
{
    const JsonFields fields(object, "schedule",
                            {"name", "warmup_steps", "total_steps", "min_lr", "d_model"}, where);
    ScheduleSettings schedule;
    schedule.kind = static_cast<ScheduleSettings::Kind>(fields.choice("name", kSchedules, 0));
    schedule.totalSteps = steps;
    schedule.dModel = dModel;
    const bool isNoam = schedule.kind == ScheduleSettings::Kind::Noam;
    if (isNoam)
        schedule.warmupSteps = 4000;
    fields.read("warmup_steps", schedule.warmupSteps, isNoam ? 1 : 0, kMost);
    fields.read("total_steps", schedule.totalSteps, 0, kMost);
    fields.read("min_lr", schedule.floor, 0.0, 1000.0);
    fields.read("d_model", schedule.dModel, 1, kMost);
    if (schedule.floor > 0.0 && schedule.kind != ScheduleSettings::Kind::WarmupCosineFloor)
        fields.refuse("min_lr", "it with the schedule \"warmup_cosine_floor\", or leave it out");
    return schedule;
}

json toJson(const ScheduleSettings& schedule)
{
    return {{"name", kSchedules[static_cast<std::size_t>(schedule.kind)]},
            {"warmup_steps", schedule.warmupSteps},
            {"total_steps", schedule.totalSteps},
            {"min_lr", schedule.floor},
            {"d_model", schedule.dModel}};
}

OptimizerSettings optimizerFromJson(const json& object, ScheduleSettings::Kind schedule,
                                    const std::string& where)
{
    const JsonFields fields(object, "optimizer",
                            {"name", "lr", "beta1", "beta2", "epsilon", "momentum", "weight_decay",
                             "decay_matrices_only", "clip_norm"},
                            where);
    OptimizerSettings optimizer;
    optimizer.kind = static_cast<OptimizerKind>(fields.choice("name", kOptimizers, 0));
    if (optimizer.kind != OptimizerKind::AdamW)
        optimizer.weightDecay = 0.0;
    if (schedule == ScheduleSettings::Kind::Noam)
        optimizer.learningRate = 1.0;
    fields.read("lr", optimizer.learningRate, 0.0, 1000.0);
    fields.read("beta1", optimizer.beta1, 0.0, 0.999999);
    fields.read("beta2", optimizer.beta2, 0.0, 0.999999);
    fields.read("epsilon", optimizer.epsilon, 1e-30, 1.0);
    fields.read("momentum", optimizer.momentum, 0.0, 0.999999);
    fields.read("weight_decay", optimizer.weightDecay, 0.0, 1000.0);
    fields.read("decay_matrices_only", optimizer.decayMatricesOnly);
    if (fields.has("clip_norm") && fields.at("clip_norm").is_null()) {
        optimizer.clipNorm = std::nullopt;
    } else {
        double clipNorm = optimizer.clipNorm.value_or(1.0);
        fields.read("clip_norm", clipNorm, 1e-12, 1e12);
        optimizer.clipNorm = clipNorm;
    }
    return optimizer;
}

json toJson(const OptimizerSettings& optimizer)
{
    return {{"name", kOptimizers[static_cast<std::size_t>(optimizer.kind)]},
            {"lr", optimizer.learningRate},
            {"beta1", optimizer.beta1},
            {"beta2", optimizer.beta2},
            {"epsilon", optimizer.epsilon},
            {"momentum", optimizer.momentum},
            {"weight_decay", optimizer.weightDecay},
            {"decay_matrices_only", optimizer.decayMatricesOnly},
            {"clip_norm", optimizer.clipNorm ? json(*optimizer.clipNorm) : json()}};
}

} // namespace headscope
