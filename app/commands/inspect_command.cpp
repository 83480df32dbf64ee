#include "app/chat_source.h"
#include "app/commands/command.h"
#include "app/commands/inspect_difference.h"
#include "app/commands/inspect_parts.h"
#include "app/commands/inspect_report.h"
#include "app/console.h"
#include "app/model_source.h"
#include "app/training_source.h"
#include "app/weight_edits.h"
#include "core/analysis/report/model_report_json.h"
#include "core/base/error.h"
#include "core/io/trace_file.h"
#include "core/train/measures/task_evaluation.h"
#include "resources/resource.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace headscope::app {

namespace {

struct InspectOptions : DifferenceRequest
{
    std::string task;
    InspectRequest more;
};

constexpr std::size_t kActivationBudget = std::size_t{512} << 20;

/// Keys of scores that earlier versions printed: they are kept next to today's.
constexpr std::array<std::string_view, 3> kEarlierKeys{"entropy_normalised", "duplicate_token",
                                                       "induction"};

/// Every score of every head; null where it is not defined.
nlohmann::json headsJson(const nlohmann::json& scores)
{
    nlohmann::json heads = scores.at("heads");
    for (nlohmann::json& head : heads) {
        for (const HeadScoreInfo& info : headScoreInfos())
            head.emplace(info.key, nullptr);
        for (const std::string_view earlier : kEarlierKeys)
            head.emplace(earlier, head.at(std::string(infoOf(*headScoreNamed(earlier)).key)));
    }
    return heads;
}

nlohmann::json scoresJson(const std::string& model, const std::string& text, const Trace& trace,
                          const HeadScoreTables& tables,
                          const std::optional<InContextScore>& inContext,
                          const Tokenizer& tokenizer)
{
    const nlohmann::json scores = toJson(tables);
    nlohmann::json tokens = nlohmann::json::array();
    for (const Token& token : trace.tokens().tokens)
        tokens.push_back(tokenizer.tokenText(token.id));
    return {{"model", model},
            {"text", text},
            {"ids", trace.tokens().ids()},
            {"tokens", tokens},
            {"sink_rate", sinkRate(tables)}, // null if not defined
            {"in_context_score", inContext ? toJson(*inContext) : nlohmann::json()},
            {"heads", headsJson(scores)},
            {"undefined", scores.at("undefined")}};
}

/// Prints the scores, then all other requested parts; for files only their names.
void printReport(const InspectOptions& options, const ModelReport& report,
                 const Tokenizer& tokenizer, CommandContext& context)
{
    const std::vector<std::string> files = writeReports(report, options.more, context);
    if (options.json) {
        nlohmann::json json = scoresJson(report.settings.model, report.settings.text, *report.trace,
                                         report.scores, report.inContext.value, tokenizer);
        addSections(json, report, options.more);
        if (!files.empty())
            json["reports"] = files;
        printJsonLine(json);
        return;
    }
    if (options.more.sections()) {
        print(scoresText(report.scores));
        print(inContextText(report.inContext.value));
        print(sectionsText(report, options.more));
    }
    for (const std::string& file : files)
        print(file + "\n");
}

void printScores(const InspectOptions& options, const LoadedModel& model, const std::string& text,
                 const Trace& trace)
{
    const HeadScoreTables tables = scoreTrace(trace);
    const auto inContext =
        model.model ? inContextScore(trace, model.model->config()) : std::nullopt;
    if (options.json)
        return printJsonLine(
            scoresJson(model.name, text, trace, tables, inContext, *model.tokenizer));
    print(scoresText(tables));
    print(inContextText(inContext));
}

/// A captured trace, from here or elsewhere, needs no model.
void inspectTrace(const InspectOptions& options, CommandContext& context)
{
    const TraceFile file = openTraceFile(options.trace);
    for (const std::string& sentence : file.notes)
        note(sentence);
    if (options.more.any()) {
        InspectSource source = options;
        source.captured = file.trace;
        source.names = file.names;
        return printReport(options, inspectReport(source, options.more, context).report,
                           *file.names, context);
    }
    if (file.trace->attentionKinds().empty())
        throw Error("the trace contains no patterns", options.trace,
                    "Give a trace with blocks.*.attn.hook_pattern");
    printScores(options, {file.trace->info().model, nullptr, file.names}, file.trace->tokens().text,
                *file.trace);
}

void noteCut(const Trace& trace)
{
    if (trace.info().textTokens > static_cast<std::int64_t>(trace.tokens().size()))
        note(fmt::format("the text has {} tokens, the model takes {}: the rest is truncated",
                         trace.info().textTokens, trace.tokens().size()));
}

void inspectText(const InspectOptions& options, CommandContext& context)
{
    if (options.more.any()) {
        const InspectResult made = inspectReport(options, options.more, context);
        noteCut(*made.report.trace);
        return printReport(options, made.report, *made.tokenizer, context);
    }
    const LoadedModel model = withEdits(openModel(options.model), options.edits);
    Tracer tracer(model, context.registry().create(options.device));
    const TokenSequence tokens = options.chat.empty() ? model.tokenizer->encode(options.text)
                                                      : encodeChat(options.chat, model);
    TraceRequest request{{"blocks.*.attn.hook_pattern", "logits"}};
    request.activationBudget = kActivationBudget;
    const TracePtr trace = tracer.trace(tokens, request);
    noteCut(*trace);
    printScores(options, model, options.chat.empty() ? options.text : tokens.text, *trace);
}

void compareModels(const InspectOptions& options, CommandContext& context)
{
    if (options.more.any())
        throw Error("a report compares no models", "--model-b",
                    "Leave out --model-b, or the options for parts of a report");
    if (options.texts.empty())
        inspectDifference(options, context);
    else
        rankTexts(options, context);
}

bool builtinTask(const std::string& task)
{
    const std::vector<std::string> names = builtinTrainingNames();
    return std::find(names.begin(), names.end(), task) != names.end();
}

/// Evaluates the model on the held-out questions of the task that it was trained for.
void inspectTask(const InspectOptions& options, CommandContext& context)
{
    const LoadedModel model = withEdits(openModel(options.model), options.edits);
    const TrainingConfig config =
        openTrainingConfig(builtinTask(options.task) ? "builtin:" + options.task : options.task);
    const PreparedData data = prepareData(config, note);
    if (!(data.model == model.model->config()))
        throw Error("the model was not trained for this task", model.name,
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
        app.add_subcommand("inspect", "Score every head on a text: what does it attend to?");
    addModelOption(*command, options->model);
    addDeviceOption(*command, options->device);
    auto* input = command->add_option_group("input");
    input->add_option("--text", options->text, "Score the heads on this text");
    addChatOption(*input, options->chat);
    auto* task =
        input->add_option("--task", options->task,
                          "Evaluate on the questions of a task instead: stories, repeat, or the "
                          "training configuration of the model");
    auto* trace = input->add_option("--trace", options->trace,
                                    "Score the heads of a trace file: no model, no text");
    auto* texts = input->add_option("--texts", options->texts,
                                    std::string("Rank the lines of a file, or ") + kSampleTexts +
                                        ", by how far the predictions of --model-b differ");
    input->require_option(1);
    addEditOption(*command, options->edits)->excludes(trace);
    addLoraOption(*command, options->edits)->excludes(trace);
    auto* modelB =
        command
            ->add_option(
                "--model-b", options->modelB,
                "Compare with another model on this text: heads, tokens and matrices by how "
                "far they moved; --edit and --lora then change B")
            ->excludes(task)
            ->excludes(trace);
    texts->needs(modelB);
    addInspectOptions(*command, options->more);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &context] {
        if (!options->modelB.empty())
            compareModels(*options, context);
        else if (!options->trace.empty())
            inspectTrace(*options, context);
        else if (options->task.empty())
            inspectText(*options, context);
        else
            inspectTask(*options, context);
    });
}

} // namespace headscope::app
