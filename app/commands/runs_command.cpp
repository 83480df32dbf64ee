#include "app/commands/command.h"
#include "app/console.h"
#include "core/base/error.h"
#include "core/runs/run_library.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace headscope::app {

namespace {

struct RunsOptions
{
    std::string folder;
    bool json = false;
};

template<class Value>
nlohmann::json orNull(const std::optional<Value>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json toJson(const RunSummary& run)
{
    nlohmann::json object = {{"path", run.path.string()},
                             {"state", nameOf(run.state)},
                             {"step", run.step},
                             {"steps", run.steps},
                             {"seed", run.seed},
                             {"device", run.device},
                             {"started", run.started},
                             {"loss", orNull(run.loss)},
                             {"val_loss", orNull(run.validationLoss)},
                             {"val_accuracy", orNull(run.validationAccuracy)},
                             {"notes", run.notes}};
    if (!run.problem.empty())
        object["problem"] = run.problem;
    if (run.origin)
        object["origin"] = {
            {"run", run.origin->run}, {"step", run.origin->step}, {"exact", run.origin->isExact}};
    return object;
}

std::string lineOf(const RunSummary& run)
{
    const std::string loss = run.loss ? fmt::format("loss {:.4f}", *run.loss) : std::string();
    const std::string heldOut =
        run.validationLoss ? fmt::format("held out {:.4f}", *run.validationLoss) : std::string();
    const std::string of = run.steps > 0 ? fmt::format("/{}", run.steps) : std::string();
    return fmt::format("{:<24} {:<9} {:>8}{:<9} {:<13} {:<16} {}\n", run.name, nameOf(run.state),
                       run.step, of, loss, heldOut, run.problem);
}

void listRuns(const RunsOptions& options)
{
    std::error_code error;
    if (!std::filesystem::is_directory(options.folder, error))
        throw Error("there is no such folder", options.folder,
                    "Give the folder that contains training runs");
    const std::vector<RunSummary> runs = RunLibrary(options.folder).runs();
    for (const RunSummary& run : runs)
        print(options.json ? toJson(run).dump() + "\n" : lineOf(run));
    if (runs.empty() && !options.json)
        note("no training runs there");
}

} // namespace

void addRunsCommand(CLI::App& app, CommandContext&)
{
    const auto options = std::make_shared<RunsOptions>();
    CLI::App* command = app.add_subcommand("runs", "List the training runs in a folder");
    command->add_option("FOLDER", options->folder, "Folder that contains the runs' folders")
        ->required();
    command->add_flag("--json", options->json, "One JSON object per run");
    command->callback([options] { listRuns(*options); });
}

} // namespace headscope::app
