#include "core/lessons/labs/training/short_training.h"

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
    TrainingState state;
    state.parameters = Model::initialised(model, config.seed).parameters();
    return Trainer(model, std::move(state), std::move(settings));
}

} // namespace

std::vector<ShortTraining> shortTrainings(std::string_view experiment,
                                          const std::vector<std::string>& variants,
                                          std::int64_t steps)
{
    const Experiment& known = catalogueExperiment(experiment);
    std::vector<ShortTraining> trainings;
    for (const std::string& name : variants) {
        const ExperimentVariant& variant = variantOf(known, name);
        ShortTraining training{variant.label, variant.config, {variant.label, {}, {}}, {}, nullptr};
        training.config.steps = steps;
        training.config.schedule.totalSteps = steps;
        training.config.schedule.warmupSteps = std::min(kWarmup, steps / 2);
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
            stopIfAsked(stop);
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
    LabChart chart{"step", "loss in nats", false, false, {}};
    for (const ShortTraining& training : trainings)
        chart.series.push_back(training.losses);
    return {"Training loss", "Loss of each training batch", std::move(chart)};
}

} // namespace headscope
