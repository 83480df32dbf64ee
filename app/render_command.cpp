#include "app/command.h"
#include "app/console.h"
#include "app/model_source.h"
#include "app/window_command.h"
#include "core/base/error.h"
#include "core/io/trace_file.h"
#include "core/model/mask_choice.h"
#include "ui/views/trace_figure.h"

#include <QGuiApplication>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace headscope::app {

namespace {

struct RenderOptions
{
    std::string model;
    std::string device = "auto";
    std::string text;
    std::string trace;
    std::string view = "head";
    std::string mask; ///< empty: the model's own
    std::string ablate;
    std::string theme = "light";
    std::string output;
    int layer = 0;
    int head = 0;
    int query = -1;
    int scale = 1;
};

TracePtr traceText(const RenderOptions& options, CommandContext& context, ui::FigureRequest& figure)
{
    const LoadedModel model = openModel(options.model);
    figure.tokenizer = model.tokenizer;
    Tracer tracer(model, context.registry().create(options.device));
    const TokenSequence tokens = model.tokenizer->encode(options.text);
    const auto length = std::clamp<std::int64_t>(static_cast<std::int64_t>(tokens.size()), 1,
                                                 model.model->config().maxLen);
    Interventions interventions;
    if (!options.mask.empty())
        MaskChoice::parse(options.mask).applyTo(interventions, length);
    interventions.ablatedHeads = parseHeads(options.ablate);
    return tracer.trace(tokens, TraceRequest::forViews(), interventions);
}

void requireInside(const Trace& trace, int layer, int head)
{
    if (layer >= trace.layerCount() || head >= trace.headCount())
        throw Error(fmt::format("there is no head L{}H{} among {} layers of {} heads", layer, head,
                                trace.layerCount(), trace.headCount()),
                    "headscope render", "Choose others with --layer and --head");
}

void render(const RenderOptions& options, CommandContext& context)
{
    ui::FigureRequest figure;
    figure.view = ui::figureViewNamed(options.view);
    const bool needsTrace = figure.view != ui::FigureView::Positions;
    if (needsTrace) {
        figure.trace =
            options.trace.empty() ? traceText(options, context, figure) : loadTrace(options.trace);
        requireInside(*figure.trace, options.layer, options.head);
    }
    figure.layer = options.layer;
    figure.head = options.head;
    figure.query = options.query;
    figure.dark = options.theme == "dark";
    figure.scale = options.scale;
    drawWithoutDisplay();
    const QGuiApplication application(context.argc(), context.argv());
    ui::renderFigure(figure, options.output);
    print(options.output + "\n");
}

void addPictureOptions(CLI::App& command, RenderOptions& options)
{
    command.add_option("--view", options.view, "grid, head, positions or mask")
        ->check(CLI::IsMember({"grid", "head", "positions", "mask"}))
        ->capture_default_str();
    command.add_option("--layer", options.layer, "Counted from 0")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--head", options.head, "Counted from 0")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--query", options.query, "The token that looks, from 0; -1: the last")
        ->check(CLI::Range(-1, 1 << 20))
        ->capture_default_str();
    command.add_option("--theme", options.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
    command.add_option("--scale", options.scale, "Pixels of a PNG for each logical one: 1 or 2")
        ->check(CLI::Range(1, 2))
        ->capture_default_str();
    command.add_option("--out", options.output, "F.png, F.svg or F.pdf")->required();
}

} // namespace

void addRenderCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<RenderOptions>();
    CLI::App* command = app.add_subcommand("render", "Draw one view of the window into a file");
    addModelOption(*command, options->model);
    addDeviceOption(*command, options->device);
    CLI::Option* text = command->add_option("--text", options->text, "The text");
    command->add_option("--trace", options->trace, "A trace file instead of a model and a text")
        ->excludes(text)
        ->excludes("--model");
    command->add_option("--mask", options->mask,
                        "causal, none, window:W, or a file of cells, instead of the model's own");
    command->add_option("--ablate", options->ablate, "Heads whose output is set to 0: L0H3,L1H2");
    addPictureOptions(*command, *options);
    command->callback([command, options, &context] {
        if (options->view != "positions" &&
            command->count("--text") + command->count("--trace") == 0)
            throw CLI::RequiredError("--text or --trace");
        render(*options, context);
    });
}

} // namespace headscope::app
