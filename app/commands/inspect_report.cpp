#include "app/commands/inspect_report.h"

#include "app/chat_source.h"
#include "app/commands/inspect_parts.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/model_source.h"
#include "app/weight_edits.h"
#include "app/window_part.h"
#include "core/analysis/report/model_report_json.h"
#include "core/analysis/report/named_token.h"
#include "core/base/error.h"
#include "core/generate/generator.h"

#include <nlohmann/json.hpp>

#include <mutex>

namespace headscope::app {

namespace {

bool readsTwoTexts(const LoadedModel& model)
{
    return model.model && model.model->config().isEncoderDecoder();
}

/// The start token, then the given text.
TokenSequence decoderTokens(const LoadedModel& model, const std::string& text)
{
    TokenSequence tokens = model.tokenizer->encode(text, false);
    tokens.tokens.insert(tokens.tokens.begin(), {targetStart(model), {0, 0}, true});
    return tokens;
}

/// The command for the same numbers, whatever the names of the files.
std::string commandOf(const InspectSource& source, const InspectRequest& requests)
{
    std::vector<std::string> words{"headscope", "inspect"};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {name, value});
    };
    if (source.captured) {
        add("--trace", source.trace);
    } else {
        add("--model", source.model.empty() ? builtinModels().front() : source.model);
        for (const std::string& edit : source.edits)
            add("--edit", edit);
        if (source.chat.empty())
            words.insert(words.end(), {"--text", source.text});
        add("--chat", source.chat);
    }
    add("--device", source.device == "auto" ? "" : source.device);
    add("--decoder-text", requests.decoderText);
    add("--target", requests.target);
    add("--against", requests.against);
    add("--position", requests.position < 0 ? "" : std::to_string(requests.position));
    add("--ablate-with", requests.replacement == "zero" ? "" : requests.replacement);
    add("--seed", requests.seed == 0 ? "" : std::to_string(requests.seed));
    add("--report", "report.pdf");
    add("--report", "report.json");
    return commandLine(words);
}

ReportParts partsOf(const InspectRequest& requests)
{
    const bool all = !requests.reports.empty();
    ReportParts parts;
    parts.survey = all;
    parts.labels = all || requests.labels;
    parts.lens = all || requests.lens;
    parts.attribution = all || requests.attribution;
    parts.ablation = all || requests.ablateAll;
    parts.probeAblation = parts.ablation;
    return parts;
}

void addTexts(ReportRequest& request, const InspectSource& source, const InspectRequest& requests)
{
    const LoadedModel& model = request.model;
    const TokenSequence tokens =
        source.chat.empty() ? model.tokenizer->encode(source.text) : encodeChat(source.chat, model);
    if (!readsTwoTexts(model)) {
        if (!requests.decoderText.empty())
            throw Error("a text for the decoder of a model that reads one text", "--decoder-text",
                        "Leave it out");
        request.tokens = tokens;
        return;
    }
    request.source = tokens;
    request.tokens = decoderTokens(model, requests.decoderText);
}

ReportRequest requestFor(const InspectSource& source, const InspectRequest& requests,
                         const std::stop_token& stop)
{
    ReportRequest request;
    if (source.captured) {
        request.model = {source.captured->info().model, nullptr, source.names};
        request.captured = source.captured;
    } else {
        Progress progress(stop);
        OpenedModel opened = openAudited(source.model, progress);
        request.model = withEdits(std::move(opened.model), source.edits);
        request.audit = std::move(opened.audit);
        addTexts(request, source, requests);
    }
    request.program = "headscope " HEADSCOPE_VERSION;
    request.command = commandOf(source, requests);
    if (!requests.target.empty())
        request.target = namedToken(request.model, requests.target);
    if (!requests.against.empty())
        request.against = namedToken(request.model, requests.against);
    if (requests.position >= 0)
        request.position = requests.position;
    request.replacement = *parseReplacement(requests.replacement);
    request.seed = requests.seed;
    request.parts = partsOf(requests);
    return request;
}

/// Devices for a sweep's concurrent forward passes, one each.
BackendFactory backendsOf(const std::string& device, CommandContext& context)
{
    const auto one = std::make_shared<std::mutex>();
    return [&context, device, one] {
        const std::lock_guard guard(*one);
        return context.registry().create(device);
    };
}

} // namespace

void addInspectOptions(CLI::App& command, InspectRequest& requests)
{
    command.add_flag("--labels", requests.labels,
                     "Label each head by its behaviour, with the "
                     "evidence");
    command.add_flag("--lens", requests.lens,
                     "Logit lens: the prediction of every layer, and where the target appears");
    command.add_flag("--attribution", requests.attribution,
                     "Direct logit attribution: each part's contribution to the target's logit");
    command.add_flag("--ablate-all", requests.ablateAll,
                     "Ablate every head in turn, on the text and on random repeats");
    command.add_option("--target", requests.target,
                       "The token that lens and attribution follow (default: the most probable)");
    command.add_option("--against", requests.against,
                       "Attribute and ablate the target's logit minus this token's");
    command
        .add_option("--position", requests.position,
                    "The token after which the model predicts, from 0 (default: the last; for an "
                    "encoder its mask)")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--ablate-with", requests.replacement,
                    "Replacement for an ablated head's output: zero, mean or resample")
        ->check(CLI::IsMember({"zero", "mean", "resample"}))
        ->capture_default_str();
    command.add_option("--seed", requests.seed, "Seed of resampling")->capture_default_str();
    command.add_option("--decoder-text", requests.decoderText,
                       "Text that the decoder of an encoder-decoder reads after its start token");
    command
        .add_option("--report", requests.reports,
                    "Write a complete report to F.pdf or F.json; "
                    "repeatable")
        ->check(whyNoReport);
}

InspectResult inspectReport(const InspectSource& source, const InspectRequest& requests,
                            CommandContext& context)
{
    const Interrupt interrupt;
    ProgressBar bar("report");
    const ReportRequest request = requestFor(source, requests, interrupt.token());
    constexpr double kSteps = 1000.0;
    const auto tell = [&](const std::string& part, double fraction) {
        bar.show(static_cast<std::int64_t>(fraction * kSteps), static_cast<std::int64_t>(kSteps),
                 part);
    };
    return {makeModelReport(request, backendsOf(source.device, context), interrupt.token(), tell),
            request.model.tokenizer};
}

std::string sectionsText(const ModelReport& report, const InspectRequest& requests)
{
    std::string text;
    if (requests.labels)
        text += labelsText(report.labels);
    if (requests.lens)
        text += lensText(report.lens);
    if (requests.attribution)
        text += attributionText(report.attribution);
    if (requests.ablateAll)
        text += ablationText(report.ablation, "ablation on the text") +
                ablationText(report.probeAblation, "ablation on random repeats");
    return text;
}

void addSections(nlohmann::json& json, const ModelReport& report, const InspectRequest& requests)
{
    const nlohmann::json all = toJson(report);
    const auto take = [&](bool wanted, const char* key) {
        if (wanted)
            json[key] = all.at(key);
    };
    take(true, "scores");
    take(true, "settings");
    take(requests.labels, "labels");
    take(requests.lens, "lens");
    take(requests.attribution, "attribution");
    take(requests.ablateAll, "ablation");
    take(requests.ablateAll, "ablation_on_repeats");
}

std::vector<std::string> writeReports(const ModelReport& report, const InspectRequest& requests,
                                      CommandContext& context)
{
    for (const std::string& path : requests.reports)
        saveReport(report, path, context);
    return requests.reports;
}

} // namespace headscope::app
