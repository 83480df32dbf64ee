#include "app/commands/command.h"
#include "app/commands/train_catalogue.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/training_source.h"
#include "core/base/error.h"
#include "core/cluster/data_parallel.h"
#include "core/cluster/mpi_group.h"
#include "core/runs/live_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace headscope::app {

namespace {

struct TrainOptions
{
    std::string config;
    std::string text;       ///< Training file, instead of the configuration's data.
    std::string experiment; ///< Used instead of a configuration.
    std::string output;
    std::string device = "auto";
    std::optional<std::int64_t> steps;
    std::optional<std::uint64_t> seed;
    /// Step of another run, whose folder is given as the configuration.
    std::optional<std::int64_t> fork;
    bool resume = false;
    bool json = false;
    bool list = false;
};

TrainingConfig readConfig(const TrainOptions& options)
{
    TrainingConfig config = openTrainingConfig(options.config);
    if (options.seed)
        config.seed = *options.seed;
    if (!options.text.empty()) {
        config.data.task = TrainingTask::None;
        config.data.batches.clear();
        config.data.text = std::filesystem::absolute(options.text).string();
    }
    return config;
}

std::function<std::unique_ptr<AttentionBackend>()> backends(const TrainOptions& options,
                                                            CommandContext& context)
{
    return [&registry = context.registry(), device = options.device] {
        return registry.create(device);
    };
}

LiveRunOptions liveOptions(const TrainOptions& options, CommandContext& context,
                           const std::stop_token& stop)
{
    LiveRunOptions live;
    live.folder = options.output;
    live.device = options.device;
    live.makeBackend = backends(options, context);
    live.steps = options.steps;
    const auto bar = std::make_shared<std::optional<ProgressBar>>();
    live.say = [bar](const std::string& what) {
        bar->reset();
        note(what);
    };
    live.done = [bar](double fraction) {
        if (!*bar)
            bar->emplace("learning");
        (*bar)->show(static_cast<std::int64_t>(1000.0 * fraction), 1000);
    };
    live.stop = stop;
    return live;
}

LiveRun openRun(const TrainOptions& options, const LiveRunOptions& live)
{
    try {
        if (options.fork)
            return LiveRun::fork(options.config, *options.fork, live);
        const TrainingConfig config = readConfig(options);
        return options.resume ? LiveRun::resume(live, config) : LiveRun::create(config, live);
    } catch (const Cancelled&) {
        throw Error("stopped before the first step", options.output);
    }
}

std::string progressText(const TrainingProgress& progress)
{
    return fmt::format("loss {:.4f}{}, {:.0f} tokens/s", progress.report.loss,
                       progress.validationLoss
                           ? fmt::format(", held out {:.4f}", *progress.validationLoss)
                           : std::string(),
                       progress.tokensPerSecond);
}

/// Line of the log, with the events since the previous line.
std::string jsonLine(const TrainingProgress& progress, const std::vector<RunEvent>& events)
{
    if (events.empty())
        return toJsonLine(progress) + "\n";
    auto line = nlohmann::ordered_json::parse(toJsonLine(progress));
    for (const RunEvent& event : events)
        line["events"].push_back(nlohmann::ordered_json(toJson(event)));
    return line.dump() + "\n";
}

/// Trains to the end or until it is stopped, then saves.
void runWithProgress(LiveRun& run, bool json, const std::stop_token& stop)
{
    ProgressBar bar("training");
    std::vector<RunEvent> events;
    while (!run.isDone() && !stop.stop_requested()) {
        const LivePoint point = run.step();
        events.insert(events.end(), point.events.begin(), point.events.end());
        if (!point.isLogged)
            continue;
        const TrainingProgress& progress = point.progress;
        if (json)
            print(jsonLine(progress, events));
        else if (progress.validationLoss)
            print(fmt::format("step {}: {}\n", progress.report.step, progressText(progress)));
        for (const RunEvent& event : events) {
            if (!json && event.kind == RunEvent::Kind::Jump)
                print(event.text + "\n");
        }
        events.clear();
        finishOutput();
        bar.show(progress.report.step, run.steps(), progressText(progress));
    }
    run.save();
}

void train(const TrainOptions& options, const LiveRunOptions& live)
{
    LiveRun run = openRun(options, live);
    if (!run.isExactFork())
        note("only the weights of that step were left: the optimizer starts fresh");
    runWithProgress(run, options.json, live.stop);
    if (!run.isDone())
        note(fmt::format("stopped after step {}; the same command with --resume resumes",
                         run.stepsDone()));
    if (!options.json)
        print(fmt::format("{}: {} steps\n", run.timeline().path(run.stepsDone()).string(),
                          run.stepsDone()));
}

/// Trains alone, or as one of the processes that mpirun started.
void trainWithOthers(const TrainOptions& options, CommandContext& context)
{
    const Interrupt interrupt;
    const std::unique_ptr<Communicator> group = joinMpiGroup();
    if (group && group->rank() != 0)
        return followTraining(*group, backends(options, context));
    LiveRunOptions live = liveOptions(options, context, interrupt.token());
    if (group)
        live.batchPart = std::make_shared<LeadingRank>(*group);
    train(options, live);
}

/// Runs the requested variant of the command.
void trainOrList(const TrainOptions& options, CommandContext& context)
{
    if (options.list)
        return listTraining(options.json);
    if (options.config.empty() && options.experiment.empty())
        throw CLI::RequiredError("CONFIG");
    if (options.output.empty())
        throw CLI::RequiredError("--out");
    if (!options.experiment.empty())
        return trainExperiment({options.experiment, options.output, options.device, options.json},
                               context);
    trainWithOthers(options, context);
}

} // namespace

void addTrainCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<TrainOptions>();
    CLI::App* command =
        app.add_subcommand("train", "Train a model from a configuration; Ctrl+C saves and stops");
    CLI::Option* const config = command->add_option(
        "CONFIG", options->config,
        "A JSON file, builtin:NAME for a built-in task, or the folder of a training run to fork");
    command->add_option("--out", options->output, "Folder of the training run or experiment");
    command->add_flag("--list", options->list, "List built-in tasks and experiments");
    CLI::Option* const text = command->add_option(
        "--text", options->text, "Train on this file, instead of the configuration's data");
    CLI::Option* const resume = command->add_flag("--resume", options->resume,
                                                  "Resume from the newest checkpoint in the "
                                                  "folder");
    CLI::Option* const seed =
        command->add_option("--seed", options->seed, "Seed, instead of the configuration's");
    command
        ->add_option("--fork", options->fork,
                     "Fork from this step of another training run; CONFIG is the folder of "
                     "that run")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
        ->excludes(resume)
        ->excludes(seed)
        ->excludes(text);
    CLI::Option* const steps =
        command
            ->add_option("--steps", options->steps,
                         "Stop after this many updates in total (the schedule stays as "
                         "configured)")
            ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
    command
        ->add_option("--experiment", options->experiment,
                     "Instead of CONFIG: train a broken and a fixed variant, see --list; "
                     "resumes where it stopped")
        ->excludes(config)
        ->excludes(resume)
        ->excludes(seed)
        ->excludes(text)
        ->excludes(steps);
    addDeviceOption(*command, options->device);
    command->add_flag("--json", options->json, "One JSON object per line of progress");
    command->callback([options, &context] { trainOrList(*options, context); });
}

} // namespace headscope::app
