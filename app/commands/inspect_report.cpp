#include "app/commands/inspect_report.h"

#include "app/commands/inspect_parts.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/model_source.h"
#include "app/window_part.h"
#include "core/analysis/report/model_report_json.h"
#include "core/analysis/report/named_token.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/generate/generator.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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
std::string commandOf(const InspectSource& source, const InspectWishes& wishes)
{
    std::vector<std::string> words{"headscope", "inspect"};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {name, value});
    };
    if (source.captured) {
        add("--trace", source.tracePath);
    } else {
        add("--model", source.model.empty() ? builtinModels().front() : source.model);
        words.insert(words.end(), {"--text", source.text});
    }
    add("--device", source.device == "auto" ? "" : source.device);
    add("--decoder-text", wishes.decoderText);
    add("--target", wishes.target);
    add("--against", wishes.against);
    add("--position", wishes.position < 0 ? "" : std::to_string(wishes.position));
    add("--ablate-with", wishes.replacement == "zero" ? "" : wishes.replacement);
    add("--seed", wishes.seed == 0 ? "" : std::to_string(wishes.seed));
    add("--report", "report.pdf");
    add("--report", "report.json");
    return commandLine(words);
}

ReportParts partsOf(const InspectWishes& wishes)
{
    const bool all = !wishes.reports.empty();
    ReportParts parts;
    parts.survey = all;
    parts.labels = all || wishes.labels;
    parts.lens = all || wishes.lens;
    parts.attribution = all || wishes.attribution;
    parts.ablation = all || wishes.ablateAll;
    parts.probeAblation = parts.ablation;
    return parts;
}

void addTexts(ReportRequest& request, const InspectSource& source, const InspectWishes& wishes)
{
    const LoadedModel& model = request.model;
    const TokenSequence tokens = model.tokenizer->encode(source.text);
    if (!readsTwoTexts(model)) {
        if (!wishes.decoderText.empty())
            throw Error("a text for the decoder of a model that reads one text", "--decoder-text",
                        "Leave it out");
        request.tokens = tokens;
        return;
    }
    request.source = tokens;
    request.tokens = decoderTokens(model, wishes.decoderText);
}

ReportRequest requestFor(const InspectSource& source, const InspectWishes& wishes,
                         const std::stop_token& stop)
{
    ReportRequest request;
    if (source.captured) {
        request.model = {source.captured->info().model, nullptr, source.names};
        request.captured = source.captured;
    } else {
        Progress progress(stop);
        OpenedModel opened = openAudited(source.model, progress);
        request.model = std::move(opened.model);
        request.audit = std::move(opened.audit);
        addTexts(request, source, wishes);
    }
    request.program = "headscope " HEADSCOPE_VERSION;
    request.command = commandOf(source, wishes);
    if (!wishes.target.empty())
        request.target = namedToken(request.model, wishes.target);
    if (!wishes.against.empty())
        request.against = namedToken(request.model, wishes.against);
    if (wishes.position >= 0)
        request.position = wishes.position;
    request.replacement = *parseReplacement(wishes.replacement);
    request.seed = wishes.seed;
    request.parts = partsOf(wishes);
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

void addInspectWishes(CLI::App& command, InspectWishes& wishes)
{
    command.add_flag("--labels", wishes.labels,
                     "Label each head by its behaviour, with the "
                     "evidence");
    command.add_flag("--lens", wishes.lens,
                     "Logit lens: the prediction of every layer, and where the target appears");
    command.add_flag("--attribution", wishes.attribution,
                     "Direct logit attribution: each part's contribution to the target's logit");
    command.add_flag("--ablate-all", wishes.ablateAll,
                     "Ablate every head in turn, on the text and on random repeats");
    command.add_option("--target", wishes.target,
                       "The token that lens and attribution follow (default: the most probable)");
    command.add_option("--against", wishes.against,
                       "Attribute and ablate the target's logit minus this token's");
    command
        .add_option("--position", wishes.position,
                    "The token after which the model predicts, from 0 (default: the last; for an "
                    "encoder its mask)")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--ablate-with", wishes.replacement,
                    "Replacement for an ablated head's output: zero, mean or resample")
        ->check(CLI::IsMember({"zero", "mean", "resample"}))
        ->capture_default_str();
    command.add_option("--seed", wishes.seed, "Seed of resampling")->capture_default_str();
    command.add_option("--decoder-text", wishes.decoderText,
                       "Text that the decoder of an encoder-decoder reads after its start token");
    command
        .add_option("--report", wishes.reports,
                    "Write a complete report to F.pdf or F.json; "
                    "repeatable")
        ->check(whyNoReport);
}

InspectResult inspectReport(const InspectSource& source, const InspectWishes& wishes,
                            CommandContext& context)
{
    const Interrupt interrupt;
    ProgressBar bar("report");
    const ReportRequest request = requestFor(source, wishes, interrupt.token());
    constexpr double kSteps = 1000.0;
    const auto tell = [&](const std::string& part, double fraction) {
        bar.show(static_cast<std::int64_t>(fraction * kSteps), static_cast<std::int64_t>(kSteps),
                 part);
    };
    return {makeModelReport(request, backendsOf(source.device, context), interrupt.token(), tell),
            request.model.tokenizer};
}

std::string sectionsText(const ModelReport& report, const InspectWishes& wishes)
{
    std::string text;
    if (wishes.labels)
        text += labelsText(report.labels);
    if (wishes.lens)
        text += lensText(report.lens);
    if (wishes.attribution)
        text += attributionText(report.attribution);
    if (wishes.ablateAll)
        text += ablationText(report.ablation, "ablation on the text") +
                ablationText(report.probeAblation, "ablation on random repeats");
    return text;
}

void addSections(nlohmann::json& json, const ModelReport& report, const InspectWishes& wishes)
{
    const nlohmann::json all = toJson(report);
    const auto take = [&](bool wanted, const char* key) {
        if (wanted)
            json[key] = all.at(key);
    };
    take(true, "scores");
    take(true, "settings");
    take(wishes.labels, "labels");
    take(wishes.lens, "lens");
    take(wishes.attribution, "attribution");
    take(wishes.ablateAll, "ablation");
    take(wishes.ablateAll, "ablation_on_repeats");
}

std::vector<std::string> writeReports(const ModelReport& report, const InspectWishes& wishes,
                                      CommandContext& context)
{
    for (const std::string& path : wishes.reports)
        saveReport(report, path, context);
    return wishes.reports;
}

} // namespace headscope::app
