#include "app/command.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/training_source.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/tokenizer_file.h"
#include "core/train/prepared_data.h"
#include "core/train/training_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

struct TrainOptions
{
    std::string config;
    std::string output;
    std::string device = "auto";
    std::optional<std::int64_t> steps;
    std::optional<std::uint64_t> seed;
    bool resume = false;
    bool json = false;
};

TrainingConfig readConfig(const TrainOptions& options)
{
    TrainingConfig config = openTrainingConfig(options.config);
    if (options.seed)
        config.seed = *options.seed;
    return config;
}

/// Before the data are prepared, which may take a minute.
void requireUsableFolder(const TrainOptions& options)
{
    if (options.resume) {
        RunDirectory::open(options.output);
        return;
    }
    std::error_code error;
    if (fs::exists(options.output, error) &&
        (!fs::is_directory(options.output, error) || !fs::is_empty(options.output, error)))
        throw Error("there is something of this name already", options.output,
                    "Choose a new folder, or go on with --resume");
}

RunDirectory openRun(const TrainOptions& options, const TrainingConfig& config,
                     const PreparedData& data)
{
    if (options.resume) {
        RunDirectory run = RunDirectory::open(options.output);
        run.requireSameConfig(toJson(config));
        return run;
    }
    const std::string tokenizer = data.tokenizer ? toTokenizerJson(*data.tokenizer) : std::string();
    return RunDirectory::create(options.output, toJson(config), tokenizer);
}

TrainingRunSettings runSettings(const TrainOptions& options, const TrainingConfig& config,
                                const PreparedData& data, CommandContext& context)
{
    TrainingRunSettings settings;
    settings.model = data.model;
    settings.trainer.optimizer = config.optimizer;
    settings.trainer.schedule = config.schedule;
    settings.trainer.loss = config.loss;
    settings.trainer.accumulate = config.accumulate;
    settings.trainer.seed = config.seed;
    settings.trainer.makeBackend = [&registry = context.registry(), device = options.device] {
        return registry.create(device);
    };
    settings.steps = options.steps.value_or(config.steps);
    settings.logEvery = config.logEvery;
    settings.evalEvery = config.evalEvery;
    settings.checkpointEvery = config.checkpointEvery;
    settings.metadata["training"] = dumpJson(toJson(config));
    return settings;
}

std::string describe(const TrainingProgress& progress)
{
    return fmt::format("loss {:.4f}{}, {:.0f} tokens/s", progress.report.loss,
                       progress.validationLoss
                           ? fmt::format(", held out {:.4f}", *progress.validationLoss)
                           : std::string(),
                       progress.tokensPerSecond);
}

TrainingResult runWithProgress(const TrainOptions& options, const TrainingRunSettings& settings,
                               const PreparedData& data, const RunDirectory& run,
                               std::stop_token stop)
{
    ProgressBar bar("training");
    const auto show = [&](const TrainingProgress& progress) {
        if (options.json)
            print(toJsonLine(progress) + "\n");
        else if (progress.validationLoss)
            print(fmt::format("step {}: {}\n", progress.report.step, describe(progress)));
        finishOutput();
        bar.show(progress.report.step, settings.steps, describe(progress));
    };
    return runTraining(settings, *data.batches, run, show, std::move(stop));
}

void train(const TrainOptions& options, CommandContext& context)
{
    const Interrupt interrupt;
    const TrainingConfig config = readConfig(options);
    requireUsableFolder(options);
    PreparedData data;
    try {
        data = prepareData(config, note, interrupt.token());
    } catch (const Cancelled&) {
        throw Error("stopped before the first step", options.output);
    }
    const RunDirectory run = openRun(options, config, data);
    const TrainingRunSettings settings = runSettings(options, config, data, context);
    const TrainingResult result = runWithProgress(options, settings, data, run, interrupt.token());
    if (result.stopped)
        note(fmt::format("stopped after step {}; the same command with --resume goes on",
                         result.step));
    if (!options.json)
        print(fmt::format("{}: {} steps\n", result.checkpoint.string(), result.step));
}

} // namespace

void addTrainCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<TrainOptions>();
    CLI::App* command = app.add_subcommand(
        "train", "Train a model as a configuration says; Ctrl+C saves and stops");
    command
        ->add_option("CONFIG", options->config,
                     "A JSON file, or builtin:NAME for one that a shipped model came from")
        ->required();
    command->add_option("--out", options->output, "Folder of the run")->required();
    command->add_flag("--resume", options->resume,
                      "Go on from the newest checkpoint in the folder");
    command
        ->add_option("--steps", options->steps,
                     "Stop after so many updates in all (the schedule stays as configured)")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
    command->add_option("--seed", options->seed, "Instead of the configuration's");
    addDeviceOption(*command, options->device);
    command->add_flag("--json", options->json, "One JSON object a line of progress");
    command->callback([options, &context] { train(*options, context); });
}

} // namespace headscope::app
