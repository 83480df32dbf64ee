#pragma once

#include "core/attention/cpu_attention.h"
#include "core/experiments/task_baseline.h"
#include "core/train/data/prepared_data.h"
#include "core/train/measures/task_evaluation.h"
#include "core/train/trainer.h"
#include "tests/support/catalogue_task.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace headscope::test {

/// A configuration with some of its keys changed.
inline TrainingConfig changed(const TrainingConfig& config, const char* patch)
{
    nlohmann::json json = toJson(config);
    json.merge_patch(nlohmann::json::parse(patch));
    if (nlohmann::json::parse(patch).contains("steps"))
        json["schedule"]["total_steps"] = json["steps"];
    return trainingConfigFromJson(json, "test");
}

inline std::shared_ptr<const Model> trainedModel(const TrainingConfig& config,
                                                 const PreparedData& data)
{
    Trainer::Settings settings;
    settings.optimizer = config.optimizer;
    settings.schedule = config.schedule;
    settings.loss = config.loss;
    settings.seed = config.seed;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    Trainer trainer(data.model, initialState(data.model, config.seed), std::move(settings));
    for (std::int64_t step = 0; step < config.steps; ++step)
        trainer.step(data.batches->trainingBatch(config.seed, step));
    return trainer.snapshot();
}

struct Trained
{
    TaskEvaluation evaluation;
    TaskBaseline baseline;
};

/// A small version of a task, trained.
inline Trained trainTask(const char* name, const char* patch)
{
    const TrainingConfig config = changed(catalogueTask(name).config, patch);
    const PreparedData data = prepareData(config);
    const auto model = trainedModel(config, data);
    CpuAttention backend;
    EvaluationSettings settings;
    settings.cases = 150;
    settings.ngramOrders = {};
    Trained result{evaluateTask(*model, config, data, backend, settings),
                   taskBaseline(config, data)};
    std::printf("%s: %s, baseline %s %.4f\n", name, toJson(result.evaluation).dump().c_str(),
                result.baseline.number.c_str(), result.baseline.value);
    return result;
}

} // namespace headscope::test
