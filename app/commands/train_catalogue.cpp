#include "app/commands/train_catalogue.h"

#include "app/console.h"
#include "app/interrupt.h"
#include "core/base/error.h"
#include "core/experiments/experiment_runner.h"
#include "core/experiments/task_catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope::app {

namespace {

using Json = nlohmann::ordered_json;

Json taskJson(const CatalogueTask& task)
{
    return {{"name", task.name},
            {"title", task.title},
            {"description", task.description},
            {"look_for", task.lookFor},
            {"probe", task.probe},
            {"probe_target", task.probeTarget},
            {"accuracy", task.accuracy},
            {"head_score", task.headScore},
            {"control_of", task.controlOf},
            {"needs_text", task.needsText},
            {"config", toJson(task.config)}};
}

Json experimentJson(const Experiment& experiment)
{
    Json json{{"name", experiment.name},
              {"title", experiment.title},
              {"description", experiment.description},
              {"row", experiment.row},
              {"difference", experiment.difference},
              {"measured", experiment.measured}};
    json["variants"] = Json::array();
    for (const ExperimentVariant& variant : experiment.variants)
        json["variants"].push_back(
            {{"name", variant.name}, {"label", variant.label}, {"config", toJson(variant.config)}});
    return json;
}

void showProgress(const Experiment& experiment, const ExperimentProgress& progress, bool json,
                  ProgressBar& bar)
{
    const ExperimentVariant& variant = experiment.variants[progress.variant];
    const std::string detail = progress.line == nullptr
                                   ? progress.what
                                   : fmt::format("step {}, loss {:.4f}", progress.line->report.step,
                                                 progress.line->report.loss);
    bar.show(static_cast<std::int64_t>(1000.0 * progress.done), 1000,
             fmt::format("{}: {}", variant.label, detail));
    if (!json || progress.line == nullptr)
        return;
    Json line{{"variant", variant.name}};
    line.update(Json::parse(toJsonLine(*progress.line)));
    print(line.dump() + "\n");
    finishOutput();
}

void printResult(const ExperimentResult& result)
{
    for (const VariantResult& variant : result.variants) {
        std::string line = variant.label + ":";
        for (const ExperimentNumber& number : variant.numbers)
            line += fmt::format(" {} {:.4g}", number.name, number.value);
        print(line + "\n");
        if (!variant.problem.empty())
            print("  " + variant.problem + "\n");
        for (const std::string& found : variant.notes)
            print("  " + found + "\n");
        if (!variant.sample.empty())
            print(fmt::format("  sample: {}\n", oneLine(variant.sample)));
    }
    print(result.conclusion + "\n");
}

} // namespace

void listTraining(bool json)
{
    if (json) {
        Json list{{"tasks", Json::array()}, {"experiments", Json::array()}};
        for (const CatalogueTask& task : taskCatalogue())
            list["tasks"].push_back(taskJson(task));
        for (const Experiment& experiment : experimentCatalogue())
            list["experiments"].push_back(experimentJson(experiment));
        print(list.dump() + "\n");
        return;
    }
    print("Tasks, for `headscope train builtin:NAME --out DIR`:\n");
    for (const CatalogueTask& task : taskCatalogue())
        print(fmt::format("  {:<18} {}\n", task.name, task.description));
    print("Experiments, for `headscope train --experiment NAME --out DIR`:\n");
    for (const Experiment& experiment : experimentCatalogue())
        print(fmt::format("  {:<18} {}\n", experiment.name, experiment.description));
}

void trainExperiment(const ExperimentOptions& options, CommandContext& context)
{
    const Interrupt interrupt;
    const Experiment& experiment = catalogueExperiment(options.name);
    ExperimentSettings settings;
    settings.makeBackend = [&registry = context.registry(), device = options.device] {
        return registry.create(device);
    };
    ProgressBar bar(experiment.name);
    settings.progress = [&](const ExperimentProgress& progress) {
        showProgress(experiment, progress, options.json, bar);
    };
    try {
        const ExperimentResult result =
            runExperiment(experiment, options.output, settings, interrupt.token());
        if (options.json)
            print(toJson(result).dump() + "\n");
        else
            printResult(result);
    } catch (const Cancelled&) {
        note("stopped; the same command resumes");
    }
}

} // namespace headscope::app
