#include "app/commands/command.h"
#include "app/console.h"
#include "app/commands/inspect_report.h"
#include "app/model_source.h"
#include "app/training_source.h"
#include "core/analysis/scores/head_scores.h"
#include "core/base/error.h"
#include "core/io/trace_file.h"
#include "core/train/measures/task_evaluation.h"
#include "resources/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace headscope::app {

namespace {

struct InspectOptions
{
    std::string model;
    std::string device = "auto";
    std::string text;
    std::string task;
    std::string trace;
    bool json = false;
    InspectWishes more;
};

struct ScoreColumn
{
    const char* key;   ///< in JSON
    const char* title; ///< for people
    double HeadScores::*value;
};

constexpr std::array<ScoreColumn, 10> kColumns{{
    {"entropy", "entropy", &HeadScores::entropy},
    {"entropy_normalised", "norm. H", &HeadScores::entropyNormalised},
    {"previous_token", "previous", &HeadScores::previousToken},
    {"previous_token_fraction", "prev. %", &HeadScores::previousTokenFraction},
    {"self", "self", &HeadScores::self},
    {"first_token", "first", &HeadScores::firstToken},
    {"duplicate_token", "duplicate", &HeadScores::duplicateToken},
    {"induction", "induction", &HeadScores::induction},
    {"induction_on_text", "ind. text", &HeadScores::inductionOnText},
    {"distance", "distance", &HeadScores::distance},
}};

using LayerScores = std::vector<std::vector<HeadScores>>;

nlohmann::json headsJson(const LayerScores& layers)
{
    nlohmann::json heads = nlohmann::json::array();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        for (std::size_t head = 0; head < layers[layer].size(); ++head) {
            nlohmann::json one{{"layer", layer}, {"head", head}};
            for (const ScoreColumn& column : kColumns)
                one[column.key] = layers[layer][head].*column.value; // null when not defined
            heads.push_back(std::move(one));
        }
    }
    return heads;
}

std::string table(const LayerScores& layers)
{
    std::string text = "head ";
    for (const ScoreColumn& column : kColumns)
        text += fmt::format(" {:>9}", column.title);
    text += "\n";
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        for (std::size_t head = 0; head < layers[layer].size(); ++head) {
            text += fmt::format("{:<5}", fmt::format("L{}H{}", layer, head));
            for (const ScoreColumn& column : kColumns)
                text += fmt::format(" {:>9.3f}", layers[layer][head].*column.value);
            text += "\n";
        }
    }
    return text;
}

nlohmann::json scoresJson(const std::string& model, const std::string& text, const Trace& trace,
                          const Tokenizer& tokenizer)
{
    nlohmann::json tokens = nlohmann::json::array();
    for (const Token& token : trace.tokens().tokens)
        tokens.push_back(tokenizer.tokenText(token.id));
    return {{"model", model},
            {"text", text},
            {"ids", trace.tokens().ids()},
            {"tokens", tokens},
            {"sink_rate", sinkRate(trace)},
            {"heads", headsJson(headScores(trace))}};
}

/// The scores, then whatever else was asked for; of files alone their names.
void printReport(const InspectOptions& options, const ModelReport& report,
                 const Tokenizer& tokenizer, CommandContext& context)
{
    const std::vector<std::string> files = writeReports(report, options.more, context);
    if (options.json) {
        nlohmann::json json =
            scoresJson(report.settings.model, report.settings.text, *report.trace, tokenizer);
        addSections(json, report, options.more);
        if (!files.empty())
            json["reports"] = files;
        printJsonLine(json);
        return;
    }
    if (options.more.sections()) {
        if (report.trace->layerCount() > 0)
            print(table(headScores(*report.trace)));
        print(sectionsText(report, options.more));
    }
    for (const std::string& file : files)
        print(file + "\n");
}

void printScores(const InspectOptions& options, const LoadedModel& model, const std::string& text,
                 const Trace& trace)
{
    if (options.json)
        printJsonLine(scoresJson(model.name, text, trace, *model.tokenizer));
    else
        print(table(headScores(trace)));
}

/// What was captured here or elsewhere needs no model.
void inspectTrace(const InspectOptions& options, CommandContext& context)
{
    const TraceFile file = openTraceFile(options.trace);
    for (const std::string& sentence : file.notes)
        note(sentence);
    if (options.more.any()) {
        const InspectSource source{{}, options.device, {}, options.trace, file.trace, file.names};
        return printReport(options, inspectReport(source, options.more, context).report,
                           *file.names, context);
    }
    if (file.trace->layerCount() == 0)
        throw Error("the trace holds no patterns of one stack", options.trace,
                    "Give one with blocks.*.attn.hook_pattern");
    printScores(options, {file.trace->info().model, nullptr, file.names}, file.trace->tokens().text,
                *file.trace);
}

void noteCut(const Trace& trace)
{
    if (trace.info().textTokens > static_cast<std::int64_t>(trace.tokens().size()))
        note(fmt::format("the text has {} tokens, the model takes {}: the rest is cut off",
                         trace.info().textTokens, trace.tokens().size()));
}

void inspectText(const InspectOptions& options, CommandContext& context)
{
    if (options.more.any()) {
        const InspectSource source{options.model, options.device, options.text, {},
                                   nullptr,       nullptr};
        const InspectResult made = inspectReport(source, options.more, context);
        noteCut(*made.report.trace);
        return printReport(options, made.report, *made.tokenizer, context);
    }
    const LoadedModel model = openModel(options.model);
    Tracer tracer(model, context.registry().create(options.device));
    const TokenSequence tokens = model.tokenizer->encode(options.text);
    const TracePtr trace = tracer.trace(tokens, TraceRequest{{"blocks.*.attn.hook_pattern"}});
    noteCut(*trace);
    printScores(options, model, options.text, *trace);
}

bool builtinTask(const std::string& task)
{
    const std::vector<std::string> names = builtinTrainingNames();
    return std::find(names.begin(), names.end(), task) != names.end();
}

/// What the model can do, on the held-out questions of the task that it was trained for.
void inspectTask(const InspectOptions& options, CommandContext& context)
{
    const LoadedModel model = openModel(options.model);
    const TrainingConfig config =
        openTrainingConfig(builtinTask(options.task) ? "builtin:" + options.task : options.task);
    const PreparedData data = prepareData(config, note);
    if (!(data.model == model.model->config()))
        throw Error("the model is not one of this task", model.name,
                    "Give a model that was trained with this configuration");
    const auto backend = context.registry().create(options.device);
    const TaskEvaluation evaluation = evaluateTask(*model.model, config, data, *backend);
    if (options.json)
        printJsonLine(toJson(evaluation));
    else
        print(toText(evaluation));
}

} // namespace

void addInspectCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<InspectOptions>();
    CLI::App* command =
        app.add_subcommand("inspect", "Score every head on a text: where does it look?");
    addModelOption(*command, options->model);
    addDeviceOption(*command, options->device);
    auto* input = command->add_option_group("input");
    input->add_option("--text", options->text, "Score the heads on this text");
    input->add_option("--task", options->task,
                      "Ask the questions of a task instead: stories, repeat, or the training "
                      "configuration that the model came from");
    input->add_option("--trace", options->trace,
                      "Score the heads of a trace file: no model, no text");
    input->require_option(1);
    addInspectWishes(*command, options->more);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &context] {
        if (!options->trace.empty())
            inspectTrace(*options, context);
        else if (options->task.empty())
            inspectText(*options, context);
        else
            inspectTask(*options, context);
    });
}

} // namespace headscope::app
