#include "app/command.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "core/generate/generator.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <limits>
#include <memory>

namespace headscope::app {

namespace {

struct GenerateOptions
{
    std::string model;
    std::string device = "auto";
    std::string prompt;
    GenerationSettings settings;
    bool json = false;
};

const char* toString(GenerationEnd end)
{
    switch (end) {
    case GenerationEnd::MaxTokens:
        return "max_tokens";
    case GenerationEnd::EndOfText:
        return "end_of_text";
    case GenerationEnd::MaxLen:
        return "max_len";
    }
    return "";
}

nlohmann::json describe(const GenerationStep& step, const Tokenizer& tokenizer)
{
    nlohmann::json candidates = nlohmann::json::array();
    for (const Candidate& candidate : step.candidates)
        candidates.push_back({{"id", candidate.id},
                              {"text", candidate.text},
                              {"probability", candidate.probability}});
    return {{"id", step.id},
            {"text", displayText(tokenizer.tokenBytes(step.id))},
            {"candidates", candidates}};
}

void generateText(const GenerateOptions& options, CommandContext& context)
{
    const LoadedModel model = openModel(options.model);
    const auto backend = context.registry().create(options.device);
    const std::vector<TokenId> prompt = model.tokenizer->encode(options.prompt).ids();
    const auto onStep = [&](const GenerationStep& step) {
        if (options.json || model.tokenizer->isSpecial(step.id))
            return;
        print(model.tokenizer->tokenBytes(step.id));
        std::fflush(stdout);
    };
    if (!options.json)
        print(options.prompt);
    const Generation generation = generate(model, *backend, prompt, options.settings, onStep);
    if (!options.json) {
        print("\n");
        return;
    }
    nlohmann::json steps = nlohmann::json::array();
    for (const GenerationStep& step : generation.steps)
        steps.push_back(describe(step, *model.tokenizer));
    printJsonLine({{"ids", generation.ids},
                   {"text", generation.text},
                   {"prompt_tokens", prompt.size()},
                   {"end", toString(generation.end)},
                   {"steps", steps}});
}

} // namespace

void addGenerateCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<GenerateOptions>();
    GenerationSettings& settings = options->settings;
    CLI::App* command = app.add_subcommand("generate", "Continue a text token by token");
    addModelOption(*command, options->model);
    addDeviceOption(*command, options->device);
    command->add_option("--prompt", options->prompt, "The text to continue")->required();
    command->add_option("--max-tokens", settings.maxTokens, "New tokens at most")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30))
        ->capture_default_str();
    command
        ->add_option("--temperature", settings.sampling.temperature,
                     "Divides the logits; 0 always takes the most probable token")
        ->check(CLI::Range(0.0, 1000.0))
        ->capture_default_str();
    command
        ->add_option("--top-k", settings.sampling.topK, "Only the k most probable tokens; 0: all")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()))
        ->capture_default_str();
    command
        ->add_option("--top-p", settings.sampling.topP,
                     "Only the most probable tokens that together reach p")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--seed", settings.seed, "The same seed gives the same text")
        ->capture_default_str();
    command->add_flag("--json", options->json, "Ids, text and the top candidates of each step");
    command->callback([options, &context] { generateText(*options, context); });
}

} // namespace headscope::app
