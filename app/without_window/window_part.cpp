#include "app/window_part.h"

#include "core/analysis/report/model_report_file.h"
#include "core/base/error.h"
#include "core/base/json_text.h"

namespace headscope::app {

namespace {

constexpr auto kHowToGetOne = "Build Headscope with its window: app/run";

void measureKeystrokesAlone(const BenchOptions& options, CommandContext& context)
{
    show(options, measureKeystrokes(options, context));
}

constexpr Bench kBenches[] = {{"keystroke", measureKeystrokesAlone}};

} // namespace

void addWindowCommands(CLI::App& app, CommandContext&)
{
    CLI::App* render = app.add_subcommand("render", "Needs a build with a window");
    render->allow_extras();
    render->callback(
        [] { throw Error("this build has no window and draws no plots", "render", kHowToGetOne); });
    app.callback([&app] {
        if (app.get_subcommands().empty())
            throw Error("this build has no window. See headscope --help for its commands",
                        "headscope", kHowToGetOne);
    });
}

std::span<const Bench> windowBenches()
{
    return kBenches;
}

std::string whyNoReport(const std::string& path)
{
    return path.ends_with(".json") ? ""
                                   : inQuotes(path) + " does not end in .json: a build without a "
                                                      "window writes no other reports";
}

void saveReport(const ModelReport& report, const std::filesystem::path& path, CommandContext&)
{
    saveReportJson(report, path);
}

} // namespace headscope::app
