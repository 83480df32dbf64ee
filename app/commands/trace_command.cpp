#include "app/chat_source.h"
#include "app/commands/command.h"
#include "app/console.h"
#include "app/id_list.h"
#include "app/model_precision.h"
#include "app/model_source.h"
#include "app/weight_edits.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/generate/generator.h"
#include "core/io/trace_file.h"
#include "core/model/config/mask_choice.h"
#include "core/model/pass/input_tokens.h"
#include "core/model/positions/position_encodings.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace headscope::app {

namespace {

struct TraceOptions
{
    std::string model;
    std::string precision = "f32";
    std::string device = "auto";
    std::string text;
    std::optional<std::string> textPair;
    std::vector<std::string> ids; ///< "1,2,3"; empty: a text.
    std::string chat;             ///< Empty: a text.
    std::string target;
    std::vector<std::string> targetIds;
    std::optional<std::string> mask; ///< None: the model's own.
    std::optional<std::string> positions;
    std::string ablate;
    std::vector<std::string> edits;
    std::vector<std::string> sites;
    std::string output;
};

std::vector<TokenId> idsOf(const std::vector<std::string>& words, const char* option,
                           const LoadedModel& model)
{
    return parseIds(words, option, model.model->config().vocabularySize);
}

/// The text of these tokens, each token with its own bytes.
TokenSequence sequenceOf(const std::vector<TokenId>& ids, const Tokenizer& tokenizer)
{
    TokenSequence sequence;
    for (const TokenId id : ids) {
        const std::size_t begin = sequence.text.size();
        // a model may have more tokens than its tokenizer
        const bool isKnown = static_cast<std::size_t>(id) < tokenizer.vocabularySize();
        const bool special = isKnown && tokenizer.isSpecial(id);
        sequence.text += special || !isKnown ? std::string() : tokenizer.tokenBytes(id);
        sequence.tokens.push_back({id, {begin, sequence.text.size()}, special});
    }
    return sequence;
}

void requireMatches(const std::vector<std::string>& sites, const Trace& trace)
{
    for (const std::string& glob : sites) {
        const TraceRequest one{{glob}};
        const bool found = std::any_of(trace.activations().begin(), trace.activations().end(),
                                       [&](const auto& entry) { return one.wants(entry.first); });
        if (!found)
            throw Error("no activation matches " + inQuotes(glob), "--sites",
                        "Write names such as blocks.*.attn.hook_pattern");
    }
}

/// Input of an encoder-decoder's decoder: the start token, then the target.
TokenSequence targetOf(const TraceOptions& options, const LoadedModel& model)
{
    if (!options.targetIds.empty())
        return sequenceOf(idsOf(options.targetIds, "--target-ids", model), *model.tokenizer);
    TokenSequence target = model.tokenizer->encode(options.target, false);
    target.tokens.insert(target.tokens.begin(), {targetStart(model), {0, 0}, true});
    return target;
}

TokenSequence textOf(const TraceOptions& options, const LoadedModel& model)
{
    if (!options.ids.empty())
        return sequenceOf(idsOf(options.ids, "--ids", model), *model.tokenizer);
    if (!options.chat.empty())
        return encodeChat(options.chat, model);
    if (!options.textPair)
        return model.tokenizer->encode(options.text);
    if (model.model->config().tokenTypes < 2)
        throw Error("a second text for a model without segment embeddings", "--text-pair",
                    "Leave it out, or give a model with segment embeddings (BERT) with --model");
    return pairTokens(*model.tokenizer, options.text, *options.textPair);
}

Interventions interventionsOf(const TraceOptions& options, std::int64_t tokens)
{
    Interventions interventions;
    if (options.mask)
        MaskChoice::parse(*options.mask).applyTo(interventions, tokens);
    if (options.positions)
        interventions.positions = parsePositions(*options.positions);
    interventions.ablatedHeads = parseHeads(options.ablate);
    return interventions;
}

void noteCut(const char* what, std::int64_t tokens, std::int64_t maxLen)
{
    if (tokens > maxLen)
        note(fmt::format("the {} has {} tokens, the model takes {}: the rest is truncated", what,
                         tokens, maxLen));
}

TracePtr runOnce(const TraceOptions& options, Tracer& tracer)
{
    const LoadedModel& model = tracer.model();
    const ModelConfig& config = model.model->config();
    const bool twoStacks = config.isEncoderDecoder();
    if (!twoStacks && (!options.target.empty() || !options.targetIds.empty()))
        throw Error("a target for a model that reads one text", "--target",
                    "Leave it out, or give an encoder-decoder with --model");
    SourceAndTarget texts;
    TokenSequence text = textOf(options, model);
    (twoStacks ? texts.source : texts.target) = std::move(text);
    if (twoStacks)
        texts.target = targetOf(options, model);
    TraceRequest request = TraceRequest::everything();
    if (!options.sites.empty())
        request.sites = options.sites;
    const auto tokens =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(texts.target.size()), 1, config.maxLen);
    const Interventions interventions = interventionsOf(options, tokens);
    TracePtr trace = twoStacks ? tracer.trace(texts, request, interventions)
                               : tracer.trace(texts.target, request, interventions);
    noteCut("text", twoStacks ? trace->info().sourceTextTokens : trace->info().textTokens,
            config.maxLen);
    noteCut("target", twoStacks ? trace->info().textTokens : 0, config.maxLen);
    return trace;
}

void traceOnce(const TraceOptions& options, Tracer& tracer)
{
    const TracePtr trace = runOnce(options, tracer);
    requireMatches(options.sites, *trace);
    saveTrace(options.output, *trace, *tracer.model().tokenizer,
              options.chat.empty() ? std::vector<std::string>() : chatRoles(options.chat));
    const std::size_t source = trace->sourceTokens().size();
    print(fmt::format("{}: {}{} tokens, {} activations, {:.1f} ms on {}\n", options.output,
                      source > 0 ? fmt::format("{} source and ", source) : std::string(),
                      trace->tokens().size(), trace->activations().size(), trace->info().forwardMs,
                      trace->info().device));
}

void addInputOptions(CLI::App& command, TraceOptions& options)
{
    auto* input = command.add_option_group("input");
    auto* text =
        input->add_option("--text", options.text, "The text; for an encoder-decoder the source");
    addIdsOption(*input, "--ids", options.ids, "Token ids instead of a text: 1,2,3");
    addChatOption(*input, options.chat);
    input->require_option(1);
    command
        .add_option("--text-pair", options.textPair,
                    "A second text after it, in segment 1: for models with segment embeddings "
                    "(BERT)")
        ->needs(text);
    auto* target = command.add_option_group(
        "target", "Teacher forcing, for encoder-decoders; without it the decoder reads only its "
                  "start token");
    target->add_option("--target", options.target,
                       "Text that the decoder reads after its "
                       "start token");
    addIdsOption(*target, "--target-ids", options.targetIds,
                 "All ids that the decoder reads, start token included: 0,1,2");
    target->require_option(0, 1);
}

void addWhatIfOptions(CLI::App& command, TraceOptions& options)
{
    command.add_option("--mask", options.mask,
                       "causal, none, window:W, or a text file of n lines of n cells 0 or 1, "
                       "instead of the model's own (for two stacks, that of the decoder)");
    command.add_option("--positions", options.positions,
                       positionsSyntax() + ", instead of the model's own");
    command.add_option("--ablate", options.ablate,
                       "Heads whose output is set to 0: L0H3,L1H2; for encoder-decoders E0H3 "
                       "(encoder), D0H3 (decoder), C0H3 (cross-attention)");
    addEditOption(command, options.edits);
    addLoraOption(command, options.edits);
}

} // namespace

void addTraceCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<TraceOptions>();
    CLI::App* command = app.add_subcommand(
        "trace", "Run one forward pass on a text and write the activations of every layer");
    addModelOption(*command, options->model);
    addPrecisionOption(*command, options->precision);
    addDeviceOption(*command, options->device);
    addInputOptions(*command, *options);
    addWhatIfOptions(*command, *options);
    command
        ->add_option("--sites", options->sites,
                     "Activations to write, as globs over their "
                     "names")
        ->delimiter(',');
    command->add_option("--out", options->output, "File to write the trace to (.safetensors)")
        ->required();
    command->callback([options, &context] {
        Tracer tracer(
            withEdits(withPrecision(openModel(options->model), options->precision), options->edits),
            context.registry().create(options->device));
        traceOnce(*options, tracer);
    });
}

} // namespace headscope::app
