#include "core/lessons/labs/decoding/decoding_parts.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr int kShown = 10;                ///< Tokens shown as bars.
constexpr std::int64_t kContinuation = 7; ///< Tokens to generate.
constexpr int kDraws = 3;

struct Kept
{
    std::int64_t tokens = 0;
    double entropy = 0.0; ///< Entropy in nats.
};

Kept kept(std::span<const float> probabilities)
{
    Kept result;
    for (const float p : probabilities) {
        if (p <= 0.0F)
            continue;
        ++result.tokens;
        result.entropy -= static_cast<double>(p) * std::log(static_cast<double>(p));
    }
    return result;
}

std::string percent(double fraction)
{
    return fmt::format("{:.1f} %", 100.0 * fraction);
}

/// Bars of the tokens of `order` with their probabilities.
LabBars barsOf(const std::vector<Candidate>& order, std::span<const float> probabilities,
               bool marksKept)
{
    LabBars bars;
    for (const Candidate& candidate : order) {
        const auto p = static_cast<double>(probabilities[static_cast<std::size_t>(candidate.id)]);
        bars.bars.push_back(
            {candidate.text, p, p > 0.0 ? percent(p) : "left out", marksKept && p > 0.0});
    }
    return bars;
}

SamplingSettings samplingOf(const LabSettings& settings)
{
    SamplingSettings sampling;
    sampling.temperature = settings.number("temperature");
    sampling.topK = static_cast<int>(settings.integer("top_k"));
    sampling.topP = settings.number("top_p");
    return sampling;
}

/// Table of several samples: token and probability of each step.
LabPanel continuations(const std::vector<Generation>& draws)
{
    LabTable table{{"Step"}};
    std::size_t steps = 1;
    for (std::size_t i = 0; i < draws.size(); ++i) {
        table.columns.push_back(fmt::format("Sample {}", i + 1));
        steps = std::max(steps, draws[i].steps.size());
    }
    for (std::size_t step = 0; step < steps; ++step) {
        std::vector<std::string> row{fmt::format("{}", step + 1)};
        for (const Generation& draw : draws) {
            if (step >= draw.steps.size()) {
                row.emplace_back("-");
                continue;
            }
            const GenerationStep& made = draw.steps[step];
            const auto chosen = std::ranges::find(made.candidates, made.id, &Candidate::id);
            row.push_back(fmt::format("{} {}", chosen->text, percent(chosen->probability)));
        }
        table.rows.push_back(std::move(row));
    }
    return {"Generated text", "Three samples, token by token", std::move(table)};
}

std::string sentenceFor(const SamplingSettings& settings, const Kept& now, std::size_t all,
                        const std::string& best)
{
    if (settings.temperature == 0.0)
        return fmt::format("Temperature 0 is greedy: always the top-1 token, here \"{}\".", best);
    return fmt::format("{} of {} tokens remain possible; the top-1 token is \"{}\".",
                       grouped(now.tokens), grouped(static_cast<std::int64_t>(all)), best);
}

} // namespace

LabResult runDecoding(const LabSettings& settings, const LabContext& context,
                      const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    const auto backend = backendOf(context);
    const std::vector<TokenId> prompt = promptOf(context, model, settings, kContinuation);
    DecodingStart start = startDecoding(model, *backend, prompt, {}, stop);
    const Tensor logits = start.state.logitsAfter(start.ids, stop);
    const SamplingSettings sampling = samplingOf(settings);
    const std::vector<float> before = samplingDistribution(logits.values(), {});
    const std::vector<float> after = samplingDistribution(logits.values(), sampling);
    const std::vector<Candidate> order = topCandidates(before, kShown, model.tokenizer.get());
    const Candidate best = topCandidates(after, 1, model.tokenizer.get()).front();
    const Kept was = kept(before);
    const Kept now = kept(after);

    GenerationSettings generation;
    generation.maxTokens = kContinuation;
    generation.sampling = sampling;
    generation.topCandidates = static_cast<int>(model.model->config().vocabularySize);
    std::vector<Generation> draws;
    for (int draw = 0; draw < kDraws; ++draw) {
        generation.seed = static_cast<std::uint64_t>(draw);
        draws.push_back(generate(model, *backend, prompt, generation, {}, stop));
    }

    LabResult result;
    result.panels = {{"Model distribution", "Softmax of the logits", barsOf(order, before, false)},
                     {"Sampling distribution", "After temperature, top-k, then top-p",
                      barsOf(order, after, true)},
                     continuations(draws)};
    result.numbers = {{"temperature", "Temperature", sampling.temperature},
                      {"vocabulary", "Vocabulary", static_cast<double>(logits.size())},
                      {"kept", "Possible tokens", static_cast<double>(now.tokens)},
                      {"top_before", "Top-1 probability, model", order.front().probability},
                      {"top", "Top-1 probability, sampling", best.probability},
                      {"entropy_before", "Entropy, model", was.entropy, "nats"},
                      {"entropy", "Entropy, sampling", now.entropy, "nats"}};
    result.sentence = sentenceFor(sampling, now, logits.size(), best.text);
    return result;
}

} // namespace headscope
