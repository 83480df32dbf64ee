#include "app/commands/command.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/model_precision.h"
#include "app/model_source.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/io/hugging_face/coverage.h"
#include "core/io/hugging_face/model_list.h"
#include "core/io/installed_models.h"
#include "core/io/logits_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace headscope::app {

namespace {

struct ModelsOptions
{
    std::string model;
    std::string precision = "f32";
    bool tensors = false;
    bool coverage = false;
    bool json = false;
};

struct KnownModels
{
    std::vector<InstalledModel> installed;
    std::vector<ModelRecipe> missing; ///< Recipes that are not installed.
};

KnownModels knownModels()
{
    const ModelFolders places = usualModelFolders();
    KnownModels known;
    known.installed = installedModels(places);
    for (ModelRecipe& recipe : modelRecipes())
        if (!findRecipe(recipe, places))
            known.missing.push_back(std::move(recipe));
    return known;
}

void listAsJson(const KnownModels& known)
{
    nlohmann::json models = nlohmann::json::array();
    for (const std::string& name : builtinModels())
        models.push_back({{"model", name}, {"kind", "built in"}, {"found", "built in"}});
    for (const InstalledModel& model : known.installed)
        models.push_back({{"model", model.path.string()},
                          {"kind", model.kind},
                          {"found", model.found},
                          {"bytes", model.bytes}});
    nlohmann::json recipes = nlohmann::json::array();
    for (const ModelRecipe& recipe : known.missing)
        recipes.push_back(
            {{"model", recipe.name}, {"package", recipe.package}, {"command", recipe.command}});
    printJsonLine({{"models", models}, {"recipes", recipes}});
}

void list(const KnownModels& known)
{
    for (const std::string& name : builtinModels())
        print(fmt::format("{:<16} {}\n", "built in", name));
    for (const InstalledModel& model : known.installed)
        print(fmt::format("{:<16} {}   ({} MB, {})\n", model.kind, oneLine(model.path.string()),
                          model.bytes / 1'000'000, model.found));
    if (!known.missing.empty())
        print("\nTo add one, with pip alone:\n");
    for (const ModelRecipe& recipe : known.missing)
        print(fmt::format("  {}\n      {}\n", recipe.name, recipe.command));
    print("\nOr put a .gguf file, or a folder with config.json, model.safetensors and a tokenizer, "
          "into ~/models.\nheadscope models MODEL shows the contents of one.\n");
}

/// Runs forward passes on one short text, to see whether the heads behave like trained ones and how
/// much integer products change.
void probe(OpenedModel& opened, const std::stop_token& stop)
{
    Tracer tracer(opened.model, std::make_unique<CpuAttention>());
    const TraceRequest request{{"*.attn.hook_pattern"}};
    const TokenSequence tokens = probeTokens(opened.model);
    const bool twoStacks = opened.model.model->config().isEncoderDecoder();
    auditPatterns(opened.audit, *(twoStacks ? tracer.trace({tokens, tokens}, request, {}, stop)
                                            : tracer.trace(tokens, request, {}, stop)));
    opened.audit.productsError = measureProductsError(opened.model, stop);
    opened.audit.precision = opened.model.model->precision();
    opened.audit.precisionError = measurePrecisionError(opened.model, stop);
}

void printTensors(const LoadAudit& audit)
{
    for (const AuditedTensor& tensor : audit.tensors) {
        print(fmt::format("{:<7} [{}]  {}", tensor.type, fmt::join(tensor.shape, ", "),
                          oneLine(tensor.name)));
        print(tensor.parameters.empty() ? "  unused\n"
                                        : fmt::format("  {}\n", fmt::join(tensor.parameters, " ")));
    }
}

void showAudit(const LoadAudit& audit, bool tensors)
{
    for (const auto& [name, text] : factsOf(audit))
        print(fmt::format("{:<11} {}\n", name, oneLine(text)));
    if (audit.warnings.empty())
        print(fmt::format("{:<11} none\n", "warnings"));
    for (const LoadWarning& warning : audit.warnings)
        print(fmt::format("{:<11} {}. {}\n", "warning", oneLine(warning.what), warning.advice));
    if (tensors)
        printTensors(audit);
}

void audit(const ModelsOptions& options)
{
    const Interrupt interrupt;
    ProgressBar bar("weights");
    Progress progress(interrupt.token(), [&](std::uint64_t done, std::uint64_t total) {
        bar.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    });
    OpenedModel opened = openAudited(options.model, progress);
    opened.model = withPrecision(std::move(opened.model), options.precision);
    probe(opened, interrupt.token());
    if (options.json)
        printJsonLine(toJson(opened.audit, options.tensors));
    else
        showAudit(opened.audit, options.tensors);
}

void coverAll(bool json)
{
    nlohmann::json list = nlohmann::json::array();
    for (const ArchitectureCoverage& known : architectureCoverage()) {
        std::vector<std::string> formats;
        if (known.huggingFace)
            formats.emplace_back("Hugging Face");
        if (known.gguf)
            formats.emplace_back("GGUF");
        if (json)
            list.push_back({{"architecture", known.architecture},
                            {"formats", formats},
                            {"mechanisms", known.mechanisms}});
        else
            print(fmt::format("{:<12} {}\n{:<12} {}\n", known.architecture,
                              fmt::join(formats, ", "), "", fmt::join(known.mechanisms, ", ")));
    }
    if (json)
        printJsonLine({{"architectures", list}});
}

void coverList(const ModelListCoverage& found, bool json)
{
    if (json) {
        nlohmann::json list = nlohmann::json::array();
        for (const ListedArchitecture& entry : found.architectures)
            list.push_back(
                {{"architecture", entry.name}, {"models", entry.models}, {"opens", entry.opens}});
        return printJsonLine(
            {{"models", found.models}, {"opening", found.opening}, {"architectures", list}});
    }
    const double share = 100.0 * static_cast<double>(found.opening) /
                         static_cast<double>(std::max<std::int64_t>(found.models, 1));
    print(fmt::format("{} of {} models ({:.1f} %) have an architecture that opens\n", found.opening,
                      found.models, share));
    for (const ListedArchitecture& entry : found.architectures)
        print(fmt::format("{:<12} {:>5}  {}\n", entry.opens ? "opens" : "missing", entry.models,
                          oneLine(entry.name)));
}

void coverOne(const ModelsOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(options.model, ignored))
        if (const auto list = modelListCoverage(options.model))
            return coverList(*list, options.json);
    const ConfigCoverage found = configCoverage(options.model);
    if (options.json)
        return printJsonLine({{"architecture", found.architecture},
                              {"opens", found.missing.empty()},
                              {"mechanisms", found.mechanisms},
                              {"missing", found.missing}});
    print(fmt::format("{:<12} {}\n", oneLine(found.architecture),
                      found.missing.empty() ? "opens" : "does not open"));
    for (const std::string& mechanism : found.mechanisms)
        print(fmt::format("{:<12} {}\n", "uses", oneLine(mechanism)));
    for (const std::string& part : found.missing)
        print(fmt::format("{:<12} {}\n", "missing", oneLine(part)));
}

void run(const ModelsOptions& options)
{
    if (options.coverage)
        return options.model.empty() ? coverAll(options.json) : coverOne(options);
    if (!options.model.empty())
        return audit(options);
    if (options.json)
        listAsJson(knownModels());
    else
        list(knownModels());
}

} // namespace

void addModelsCommand(CLI::App& app, CommandContext&)
{
    const auto options = std::make_shared<ModelsOptions>();
    CLI::App* command =
        app.add_subcommand("models", "List the models on this machine, or describe one");
    command->add_option("model", options->model,
                        "Model to describe, as for --model: its tensors, heads and tokenizer");
    addPrecisionOption(*command, options->precision);
    command->add_flag("--tensors", options->tensors, "Include every tensor and its use");
    command->add_flag(
        "--coverage", options->coverage,
        "List the architectures that open and what they compute; with a folder or "
        "config.json as the model, what that one asks for and what is missing; with a "
        "JSON list of models and their architectures, how many of them open");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run(*options); });
}

} // namespace headscope::app
