#include "app/commands/inspect_difference.h"

#include "app/chat_source.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/model_source.h"
#include "app/weight_edits.h"
#include "core/analysis/difference/model_difference_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope::app {

namespace {

constexpr std::size_t kListed = 20; ///< Rows listed of each table; --json has all.

struct TwoModels
{
    LoadedModel a;
    LoadedModel b;
};

/// One file opened twice is one model: its unchanged matrices need not be read.
TwoModels openBoth(const DifferenceRequest& request)
{
    TwoModels models;
    models.a = openModel(request.model);
    models.b = request.modelB == request.model ? models.a : openModel(request.modelB);
    models.b = withEdits(std::move(models.b), request.edits);
    return models;
}

TracePtr traceOf(const LoadedModel& model, const DifferenceRequest& request,
                 CommandContext& context, const std::stop_token& stop)
{
    Tracer tracer(model, context.registry().create(request.device));
    const TokenSequence tokens = request.chat.empty() ? model.tokenizer->encode(request.text)
                                                      : encodeChat(request.chat, model);
    constexpr std::size_t kPatternBudget = std::size_t{512} << 20;
    return tracer.trace(tokens, {{"blocks.*.attn.hook_pattern", "logits"}, kPatternBudget}, {},
                        stop);
}

WeightDifference weightsOf(const TwoModels& models, const std::stop_token& stop)
{
    ProgressBar bar("weights");
    Progress progress(stop, [&bar](std::uint64_t done, std::uint64_t total) {
        bar.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    });
    return weightDifference(models.a.model, models.b.model, progress);
}

std::string number(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:.6f}", value);
}

std::string moreText(std::size_t count)
{
    return count > kListed ? fmt::format("and {} more, in --json\n", count - kListed)
                           : std::string();
}

std::string tokenText(const Tokenizer& tokenizer, TokenId id)
{
    return "\"" + oneLine(storedTokenText(tokenizer, id)) + "\"";
}

std::string headsText(const TraceDifference& difference)
{
    if (difference.heads.empty())
        return fmt::format("heads\n{}\n", difference.headsMissing);
    std::string text =
        fmt::format("{:<16} {:>9} {:>9} {:>8}\n", "head", "JS bits", "largest", "at token");
    std::size_t listed = 0;
    for (const HeadDifference& one : ranked(difference.heads)) {
        if (listed++ == kListed)
            break;
        text += fmt::format("{:<16} {:>9} {:>9} {:>8}\n", toString(one.head),
                            number(one.divergence), number(one.largest),
                            one.query < 0 ? std::string("-") : std::to_string(one.query));
    }
    text += moreText(difference.heads.size());
    return difference.unmatchedHeads == 0
               ? text
               : text + fmt::format("{} heads have no counterpart\n", difference.unmatchedHeads);
}

std::string tokensText(const TraceDifference& difference, const Tokenizer& tokenizer)
{
    if (difference.tokens.empty())
        return fmt::format("\nnext token\n{}\n", difference.tokensMissing);
    std::string text = fmt::format("\n{:>5} {:<20} {:>9}  {:<28} {}\n", "after", "token", "KL bits",
                                   "top-1 of A", "top-1 of B");
    std::size_t listed = 0;
    for (const TokenDifference& one : ranked(difference.tokens)) {
        if (listed++ == kListed)
            break;
        const PredictionDivergence& prediction = one.prediction;
        const auto top = [&](TokenId id, double probability) {
            return fmt::format("{:.3f} {}", probability, tokenText(tokenizer, id));
        };
        text += fmt::format("{:>5} {:<20} {:>9}  {:<28} {}\n", one.position,
                            tokenText(tokenizer, one.id), number(prediction.bits),
                            top(prediction.topA, prediction.probabilityA),
                            top(prediction.topB, prediction.probabilityB));
    }
    return text + moreText(difference.tokens.size()) +
           fmt::format("mean {} bits per token\n", number(difference.meanBits()));
}

std::string matricesText(const WeightDifference& difference)
{
    std::string text =
        fmt::format("\n{:<32} {:>9} {:>12}  {}\n", "matrix", "relative", "|B - A|", "stored");
    std::size_t listed = 0;
    for (const MatrixDifference& one : ranked(difference.matrices)) {
        if (listed++ == kListed)
            break;
        const auto format = [](const std::string& name) { return name.empty() ? "F32" : name; };
        text += fmt::format("{:<32} {:>9} {:>12.6g}  {}, {}\n", one.name, number(one.relative),
                            one.difference, format(one.formatA), format(one.formatB));
    }
    text += moreText(difference.matrices.size());
    return difference.unmatched == 0
               ? text
               : text + fmt::format("{} matrices have no counterpart of the same size\n",
                                    difference.unmatched);
}

} // namespace

void inspectDifference(const DifferenceRequest& request, CommandContext& context)
{
    const Interrupt interrupt;
    const TwoModels models = openBoth(request);
    const TracePtr a = traceOf(models.a, request, context, interrupt.token());
    const TracePtr b = traceOf(models.b, request, context, interrupt.token());
    const TraceDifference traces = traceDifference(*a, *b, interrupt.token());
    const WeightDifference weights = weightsOf(models, interrupt.token());
    const Tokenizer& tokenizer = *models.a.tokenizer;
    if (request.json)
        return printJsonLine({{"model", models.a.name},
                              {"model_b", models.b.name},
                              {"text", a->tokens().text},
                              {"heads", headsJson(traces)},
                              {"tokens", tokensJson(traces, tokenizer)},
                              {"matrices", toJson(weights)}});
    print(headsText(traces));
    print(tokensText(traces, tokenizer));
    print(matricesText(weights));
}

void rankTexts(const DifferenceRequest& request, CommandContext& context)
{
    const Interrupt interrupt;
    const std::vector<std::string> texts =
        request.texts == kSampleTexts ? builtinTexts() : textLines(request.texts);
    if (texts.size() == kMostTexts)
        note(fmt::format("only the first {} texts are compared", kMostTexts));
    const TwoModels models = openBoth(request);
    ProgressBar bar("texts");
    Progress progress(interrupt.token(), [&bar](std::uint64_t done, std::uint64_t total) {
        bar.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    });
    const std::vector<TextDifference> results = compareOnTexts(
        models.a, models.b, texts, [&] { return context.registry().create(request.device); },
        progress);
    if (request.json)
        return printJsonLine(
            {{"model", models.a.name}, {"model_b", models.b.name}, {"texts", toJson(results)}});
    print(fmt::format("{:>9} {:>9} {:>6}  {}\n", "KL bits", "largest", "tokens", "text"));
    for (const TextDifference& one : ranked(results))
        print(fmt::format("{:>9} {:>9} {:>6}  {}\n", number(one.meanBits),
                          one.problem.empty() ? number(one.largestBits) : "-", one.tokens,
                          oneLine(one.text)));
}

} // namespace headscope::app
