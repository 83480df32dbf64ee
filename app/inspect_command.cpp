#include "app/command.h"
#include "app/console.h"
#include "app/model_source.h"
#include "app/training_source.h"
#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/train/task_evaluation.h"
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
    bool json = false;
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

nlohmann::json describe(const LayerScores& layers)
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

void inspectText(const InspectOptions& options, CommandContext& context)
{
    const LoadedModel model = openModel(options.model);
    Tracer tracer(model, context.registry().create(options.device));
    const TokenSequence tokens = model.tokenizer->encode(options.text);
    const TracePtr trace = tracer.trace(tokens, TraceRequest{{"blocks.*.attn.hook_pattern"}});
    if (trace->info().textTokens > static_cast<std::int64_t>(trace->tokens().size()))
        note(fmt::format("the text has {} tokens, the model takes {}: the rest is cut off",
                         trace->info().textTokens, trace->tokens().size()));
    const LayerScores layers = headScores(*trace);
    if (!options.json) {
        print(table(layers));
        return;
    }
    nlohmann::json names = nlohmann::json::array();
    for (const Token& token : trace->tokens().tokens)
        names.push_back(model.tokenizer->tokenText(token.id));
    printJsonLine({{"model", model.name},
                   {"text", options.text},
                   {"ids", trace->tokens().ids()},
                   {"tokens", names},
                   {"sink_rate", sinkRate(*trace)},
                   {"heads", describe(layers)}});
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
    input->require_option(1);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &context] {
        if (options->task.empty())
            inspectText(*options, context);
        else
            inspectTask(*options, context);
    });
}

} // namespace headscope::app
