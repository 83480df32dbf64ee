#include "app/command.h"
#include "app/console.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/trace_file.h"
#include "core/model/mask_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace headscope::app {

namespace {

struct TraceOptions
{
    std::string model;
    std::string device = "auto";
    std::string text;
    std::vector<TokenId> ids;
    std::string mask = "causal";
    std::string ablate;
    std::vector<std::string> sites;
    std::string output;
};

/// The text that these tokens stand for, each token over its own bytes.
TokenSequence sequenceOf(const std::vector<TokenId>& ids, const Tokenizer& tokenizer)
{
    TokenSequence sequence;
    for (const TokenId id : ids) {
        const std::size_t begin = sequence.text.size();
        const bool special = tokenizer.isSpecial(id);
        sequence.text += special ? std::string() : tokenizer.tokenBytes(id);
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
                        "Write names as blocks.*.attn.hook_pattern");
    }
}

void traceOnce(const TraceOptions& options, const TokenSequence& tokens, Tracer& tracer)
{
    const std::int64_t maxLen = tracer.model().model->config().maxLen;
    const auto length =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(tokens.size()), 1, maxLen);
    Interventions interventions;
    MaskChoice::parse(options.mask).applyTo(interventions, length);
    interventions.ablatedHeads = parseHeads(options.ablate);
    TraceRequest request = TraceRequest::everything();
    if (!options.sites.empty())
        request.sites = options.sites;
    const TracePtr trace = tracer.trace(tokens, request, interventions);
    requireMatches(options.sites, *trace);
    saveTrace(options.output, *trace, *tracer.model().tokenizer);
    const TraceInfo& info = trace->info();
    if (info.textTokens > maxLen)
        note(fmt::format("the text has {} tokens, the model takes {}: the rest is cut off",
                         info.textTokens, maxLen));
    print(fmt::format("{}: {} tokens, {} activations, {:.1f} ms on {}\n", options.output,
                      trace->tokens().size(), trace->activations().size(), info.forwardMs,
                      info.device));
}

} // namespace

void addTraceCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<TraceOptions>();
    CLI::App* command = app.add_subcommand(
        "trace", "Run a text through a model once and write what every layer did");
    addModelOption(*command, options->model);
    addDeviceOption(*command, options->device);
    auto* input = command->add_option_group("input");
    input->add_option("--text", options->text, "The text");
    input->add_option("--ids", options->ids, "Token ids instead of a text: 1,2,3")->delimiter(',');
    input->require_option(1);
    command
        ->add_option("--mask", options->mask,
                     "causal, none, window:W, or a text file of n lines of n cells 0 or 1")
        ->capture_default_str();
    command->add_option("--ablate", options->ablate, "Heads whose output is set to 0: L0H3,L1H2");
    command->add_option("--sites", options->sites, "Which activations, by globs over their names")
        ->delimiter(',');
    command->add_option("--out", options->output, "Where to write the trace (.safetensors)")
        ->required();
    command->callback([command, options, &context] {
        const LoadedModel model = openModel(options->model);
        Tracer tracer(model, context.registry().create(options->device));
        const bool byIds = !options->ids.empty();
        const TokenSequence tokens = byIds ? sequenceOf(options->ids, *model.tokenizer)
                                           : model.tokenizer->encode(options->text);
        traceOnce(*options, tokens, tracer);
    });
}

} // namespace headscope::app
