#include "app/chat_source.h"
#include "app/commands/command.h"
#include "app/console.h"
#include "app/id_list.h"
#include "app/model_precision.h"
#include "app/model_source.h"
#include "app/weight_edits.h"
#include "core/base/error.h"
#include "core/generate/beam_search.h"
#include "core/generate/mask_filling.h"
#include "core/text/display_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace headscope::app {

namespace {

using Json = nlohmann::json;

struct GenerateOptions
{
    std::string model;
    std::vector<std::string> edits;
    std::string precision = "f32";
    std::string device = "auto";
    std::string prompt;
    std::vector<std::string> ids; ///< "1,2,3"; empty: the prompt.
    std::string chat;             ///< Empty: the prompt.
    GenerationSettings settings;
    BeamSettings beams;
    bool searches = false; ///< True if --beams was given.
    bool exact = false;
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

const char* toString(BeamNode::Fate fate)
{
    switch (fate) {
    case BeamNode::Fate::Kept:
        return "kept";
    case BeamNode::Fate::Pruned:
        return "pruned";
    case BeamNode::Fate::Finished:
        return "finished";
    }
    return "";
}

/// A model may have more tokens than its tokenizer.
std::string textOf(const Tokenizer& tokenizer, TokenId id)
{
    return static_cast<std::size_t>(id) < tokenizer.vocabularySize()
               ? displayText(tokenizer.tokenBytes(id))
               : std::string();
}

Json stepJson(const GenerationStep& step, const Tokenizer& tokenizer)
{
    Json candidates = Json::array();
    for (const Candidate& candidate : step.candidates)
        candidates.push_back({{"id", candidate.id},
                              {"text", candidate.text},
                              {"probability", candidate.probability}});
    return {{"id", step.id}, {"text", textOf(tokenizer, step.id)}, {"candidates", candidates}};
}

/// `parent` and `node` are indices of the tree; -1 is the prompt.
Json nodeJson(const BeamNode& node, const Tokenizer& tokenizer)
{
    return {{"id", node.token},
            {"text", textOf(tokenizer, node.token)},
            {"parent", node.parent},
            {"step", node.step},
            {"log_probability", node.logProbability},
            {"sum", node.sum},
            {"fate", toString(node.fate)}};
}

Json beamJson(const BeamHypothesis& beam, const Tokenizer& tokenizer)
{
    return {{"ids", beam.ids},
            {"text", knownText(tokenizer, beam.ids)},
            {"score", beam.score},
            {"sum", beam.sum},
            {"new_tokens", beam.newTokens},
            {"end_of_text", beam.endOfText},
            {"node", beam.node}};
}

/// Candidates considered in each step, and the best hypothesis's token while it lasts.
Json stepsOf(const BeamSearch& search, const Tokenizer& tokenizer)
{
    const std::vector<TokenId> best = search.hypotheses.empty()
                                          ? std::vector<TokenId>()
                                          : search.tokensTo(search.hypotheses.front().node);
    Json steps = Json::array();
    for (int step = 0; step < search.steps(); ++step) {
        Json candidates = Json::array();
        for (const BeamNode& node : search.candidates(step))
            candidates.push_back({{"id", node.token},
                                  {"text", textOf(tokenizer, node.token)},
                                  {"probability", std::exp(node.logProbability)},
                                  {"node", &node - search.nodes.data()}});
        Json described{{"candidates", candidates}};
        if (static_cast<std::size_t>(step) < best.size()) {
            const TokenId id = best[static_cast<std::size_t>(step)];
            described["id"] = id;
            described["text"] = textOf(tokenizer, id);
        }
        steps.push_back(std::move(described));
    }
    return steps;
}

std::vector<TokenId> promptOf(const GenerateOptions& options, const LoadedModel& model)
{
    if (!options.ids.empty())
        return parseIds(options.ids, "--ids", model.model->config().vocabularySize);
    if (!options.chat.empty())
        return encodeChat(options.chat, model).ids();
    return model.tokenizer->encode(options.prompt).ids();
}

/// The prompt as typed, or the text of its ids.
std::string promptText(const GenerateOptions& options, const std::vector<TokenId>& ids,
                       const Tokenizer& tokenizer)
{
    return options.ids.empty() && options.chat.empty() ? options.prompt : knownText(tokenizer, ids);
}

/// Text of a token that continues others: ids stand for themselves where a tokenizer is missing.
std::string continuing(const Tokenizer& tokenizer, TokenId id)
{
    if (static_cast<std::size_t>(id) >= tokenizer.vocabularySize() || tokenizer.isSpecial(id))
        return {};
    return (tokenizer.kind() == "ids" ? " " : "") + tokenizer.tokenBytes(id);
}

void sampleText(const GenerateOptions& options, const LoadedModel& model, AttentionBackend& backend)
{
    const std::vector<TokenId> prompt = promptOf(options, model);
    // The prompt is printed once something can follow it; an encoder-decoder's answer is printed
    // alone.
    bool begun = model.model->config().isEncoderDecoder();
    const auto begin = [&] {
        if (!begun)
            print(promptText(options, prompt, *model.tokenizer));
        begun = true;
    };
    const auto onStep = [&](const GenerationStep& step) {
        const std::string text =
            options.json ? std::string() : continuing(*model.tokenizer, step.id);
        if (text.empty())
            return;
        begin();
        print(text);
        std::fflush(stdout);
    };
    const Generation generation = generate(model, backend, prompt, options.settings, onStep);
    if (!options.json) {
        begin();
        print("\n");
        return;
    }
    Json steps = Json::array();
    for (const GenerationStep& step : generation.steps)
        steps.push_back(stepJson(step, *model.tokenizer));
    printJsonLine({{"ids", generation.ids},
                   {"text", generation.text},
                   {"prompt_tokens", prompt.size()},
                   {"end", toString(generation.end)},
                   {"steps", steps}});
}

/// An encoder continues nothing: it fills in the masked words of the prompt.
void fillText(const GenerateOptions& options, const LoadedModel& model, AttentionBackend& backend)
{
    TokenSequence prompt = model.tokenizer->encode(options.prompt);
    if (!options.ids.empty()) {
        prompt = {};
        for (const TokenId id : promptOf(options, model)) {
            const bool isKnown = static_cast<std::size_t>(id) < model.tokenizer->vocabularySize();
            prompt.tokens.push_back({id, {0, 0}, isKnown && model.tokenizer->isSpecial(id)});
        }
    }
    const FilledText filled = fillMasks(model, backend, prompt, options.settings);
    const std::string text = knownText(*model.tokenizer, filled.ids);
    if (!options.json)
        return print(text + "\n");
    Json steps = Json::array();
    for (const FilledMask& mask : filled.masks) {
        steps.push_back(stepJson(mask.step, *model.tokenizer));
        steps.back()["position"] = mask.position;
    }
    printJsonLine({{"ids", filled.ids},
                   {"text", text},
                   {"prompt_tokens", prompt.size()},
                   {"end", filled.remaining == 0 ? "filled" : toString(GenerationEnd::MaxTokens)},
                   {"steps", steps}});
}

BeamSearch searchWithBar(const DecodingStart& start, const BeamSettings& settings)
{
    ProgressBar bar("beams");
    return beamSearch(start.state, start.ids, settings, [&](std::span<const BeamNode> candidates) {
        bar.show(candidates.empty() ? 0 : candidates.front().step + 1, settings.maxTokens);
    });
}

void searchText(const GenerateOptions& options, const LoadedModel& model, AttentionBackend& backend)
{
    const std::vector<TokenId> prompt = promptOf(options, model);
    BeamSettings settings = options.beams;
    settings.maxTokens = options.settings.maxTokens;
    settings.repetitionPenalty = options.settings.sampling.repetitionPenalty;
    settings.endOfText = endOfText(model);
    const DecodingStart start =
        startDecoding(model, backend, prompt, {}, {}, options.settings.products);
    const BeamSearch search = searchWithBar(start, settings);
    const std::vector<TokenId>& best =
        search.hypotheses.empty() ? start.ids : search.hypotheses.front().ids;
    const std::string text = knownText(*model.tokenizer, best);
    if (!options.json) {
        print(text + "\n");
        return;
    }
    Json beams = Json::array();
    for (const BeamHypothesis& beam : search.hypotheses)
        beams.push_back(beamJson(beam, *model.tokenizer));
    Json tree = Json::array();
    for (const BeamNode& node : search.nodes)
        tree.push_back(nodeJson(node, *model.tokenizer));
    printJsonLine({{"ids", best},
                   {"text", text},
                   {"prompt_tokens", prompt.size()},
                   {"end", toString(search.end)},
                   {"steps", stepsOf(search, *model.tokenizer)},
                   {"beams", beams},
                   {"tree", tree}});
}

void generateText(const GenerateOptions& options, CommandContext& context)
{
    const LoadedModel model =
        withEdits(withPrecision(openModel(options.model), options.precision), options.edits);
    const auto backend = context.registry().create(options.device);
    if (options.searches)
        searchText(options, model, *backend);
    else if (!model.model->config().hasDecoder())
        fillText(options, model, *backend);
    else
        sampleText(options, model, *backend);
}

/// Adds an option whose range the library checks, so that an invalid value is reported as wrong
/// usage.
template<class Settings, class Number>
CLI::Option* addNumber(CLI::App& command, const char* name, Settings& settings,
                       Number Settings::*field, const std::string& help)
{
    const auto inRange = [field](const std::string& text) -> std::string {
        Settings probe;
        if (!CLI::detail::lexical_cast(text, probe.*field))
            return "\"" + text + "\" is not a valid number";
        try {
            validate(probe);
        } catch (const Error& error) {
            return error.problem() + ": " + error.advice();
        }
        return {};
    };
    return command.add_option(name, settings.*field, help)->check(inRange)->capture_default_str();
}

/// Adds the options of random sampling; beam search does not use them.
std::vector<CLI::Option*> addSamplingOptions(CLI::App& command, GenerationSettings& settings)
{
    SamplingSettings& sampling = settings.sampling;
    using S = SamplingSettings;
    return {addNumber(command, "--temperature", sampling, &S::temperature,
                      "Temperature: divides the logits; 0 always takes the most probable token"),
            addNumber(command, "--top-k", sampling, &S::topK,
                      "Top-k: only the k most probable tokens; 0: all"),
            addNumber(command, "--top-p", sampling, &S::topP,
                      "Top-p: only the most probable tokens that together reach p"),
            addNumber(command, "--min-p", sampling, &S::minP,
                      "Min-p: only tokens of at least p times the largest probability"),
            addNumber(command, "--typical-p", sampling, &S::typicalP,
                      "Typical sampling: only the tokens of mass p whose surprise is nearest "
                      "to the entropy"),
            command.add_option("--seed", settings.seed, "The same seed gives the same text")
                ->capture_default_str()};
}

} // namespace

void addGenerateCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<GenerateOptions>();
    CLI::App* command =
        app.add_subcommand("generate", "Continue a text token by token; an encoder fills in "
                                       "the masked words: The [MASK] sat");
    addModelOption(*command, options->model);
    addEditOption(*command, options->edits);
    addLoraOption(*command, options->edits);
    CLI::Option* precision = addPrecisionOption(*command, options->precision);
    addDeviceOption(*command, options->device);
    auto* input = command->add_option_group("input");
    input->add_option("--prompt", options->prompt,
                      "The text to continue, to answer, or to fill in");
    addIdsOption(*input, "--ids", options->ids, "Token ids instead of a text: 1,2,3");
    addChatOption(*input, options->chat);
    input->require_option(1);
    command->add_option("--max-tokens", options->settings.maxTokens, "Largest number of new tokens")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30))
        ->capture_default_str();
    addNumber(*command, "--repetition-penalty", options->settings.sampling,
              &SamplingSettings::repetitionPenalty,
              "Above 1: makes tokens that occurred before less probable");
    const std::vector<CLI::Option*> random = addSamplingOptions(*command, options->settings);
    CLI::Option* beams =
        addNumber(*command, "--beams", options->beams, &BeamSettings::beams,
                  "Beam search for the most probable text with so many beams, instead of "
                  "sampling");
    for (CLI::Option* option : random)
        beams->excludes(option);
    addNumber(*command, "--length-penalty", options->beams, &BeamSettings::lengthPenalty,
              "Scores are sum(ln p) / tokens^PENALTY: above 0 favours long texts")
        ->needs(beams);
    command
        ->add_flag("--exact", options->exact,
                   "Multiply weights stored as integers in floats: slower; activations are "
                   "otherwise rounded to 8 bits")
        ->excludes(precision);
    command->add_flag("--json", options->json,
                      "Ids, text and the top candidates of each step; with --beams all hypotheses "
                      "and the whole tree");
    command->callback([options, beams, &context] {
        options->searches = beams->count() > 0;
        options->settings.products = options->exact ? Products::Exact : Products::Integer;
        generateText(*options, context);
    });
}

} // namespace headscope::app
