#include "core/lessons/labs/training/short_training.h"

#include "core/experiments/builtin_texts.h"
#include "core/experiments/experiment_catalogue.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kTextBytes = 400'000;
constexpr std::int64_t kVocabulary = 500;
constexpr std::int64_t kWarmup = 20;

const ExperimentVariant& variantOf(const Experiment& experiment, const std::string& name)
{
    const auto found = std::ranges::find(experiment.variants, name, &ExperimentVariant::name);
    if (found == experiment.variants.end())
        throw Error("the experiment has no such variant", name, "Choose another variant");
    return *found;
}

Trainer makeTrainer(const TrainingConfig& config, const PreparedData& data,
                    const LabContext& context)
{
    Trainer::Settings settings;
    settings.optimizer = config.optimizer;
    settings.schedule = config.schedule;
    settings.loss = config.loss;
    settings.seed = config.seed;
    settings.makeBackend = [&context] { return backendOf(context); };
    ModelConfig model = config.model;
    model.vocabularySize = data.model.vocabularySize;
    return Trainer(model, initialState(model, config.seed), std::move(settings));
}

void setSteps(TrainingConfig& config, std::int64_t steps)
{
    config.steps = steps;
    config.schedule.totalSteps = steps;
    config.schedule.warmupSteps = std::min(kWarmup, steps / 2);
}

void watchAt(std::int64_t step, const ShortTraining& training, const Trainer& trainer,
             const PreparedData& data)
{
    const bool isLast = step == training.config.steps;
    if (training.watch && (isLast || step % training.watchEvery == 0))
        training.watch(step, trainer.snapshot(), data);
}

} // namespace

ShortTraining configuredTraining(std::string_view name, const std::string& label,
                                 std::int64_t steps)
{
    ShortTraining training;
    training.label = training.losses.name = label;
    training.config =
        parseTrainingConfig(builtinText(builtinConfigs(), name), "builtin:" + std::string(name));
    setSteps(training.config, steps);
    return training;
}

std::vector<ShortTraining> shortTrainings(std::string_view experiment,
                                          const std::vector<std::string>& variants,
                                          std::int64_t steps)
{
    const Experiment& known = catalogueExperiment(experiment);
    std::vector<ShortTraining> trainings;
    for (const std::string& name : variants) {
        const ExperimentVariant& variant = variantOf(known, name);
        ShortTraining training;
        training.label = training.losses.name = variant.label;
        training.config = variant.config;
        setSteps(training.config, steps);
        training.config.data.bytes = kTextBytes;
        training.config.data.vocabularySize = kVocabulary;
        trainings.push_back(std::move(training));
    }
    return trainings;
}

PreparedData trainShortly(std::vector<ShortTraining>& trainings, const LabContext& context,
                          const std::stop_token& stop)
{
    const PreparedData data = prepareData(trainings.front().config, {}, stop);
    double done = 0.0;
    double all = 0.0;
    for (const ShortTraining& training : trainings)
        all += static_cast<double>(training.config.steps);
    for (ShortTraining& training : trainings) {
        Trainer trainer = makeTrainer(training.config, data, context);
        for (std::int64_t step = 0; step < training.config.steps; ++step, ++done) {
            throwIfStopped(stop);
            watchAt(step, training, trainer, data);
            const StepReport report =
                trainer.step(data.batches->trainingBatch(training.config.seed, step));
            training.losses.x.push_back(static_cast<double>(step + 1));
            training.losses.y.push_back(report.parts.token);
            if (report.parts.balance) {
                training.balances.x.push_back(static_cast<double>(step + 1));
                training.balances.y.push_back(*report.parts.balance);
            }
            training.seconds += report.seconds;
            if (context.progress)
                context.progress(done / all);
        }
        training.model = trainer.snapshot();
        watchAt(training.config.steps, training, trainer, data);
    }
    return data;
}

VariantResult measureShortly(Measure measure, const ShortTraining& training,
                             const PreparedData& data, const LabContext& context)
{
    const auto backend = backendOf(context);
    VariantResult result;
    const TrainedVariant variant{training.config, data, *training.model, *backend,
                                 [&context] { return backendOf(context); }};
    addMeasure(measure, variant, result);
    return result;
}

LabPanel lossCurves(const std::vector<ShortTraining>& trainings)
{
    LabChart chart{"step", "loss in nats"};
    for (const ShortTraining& training : trainings)
        chart.series.push_back(training.losses);
    return {"Training loss", "Loss of each training batch", std::move(chart)};
}

} // namespace headscope
