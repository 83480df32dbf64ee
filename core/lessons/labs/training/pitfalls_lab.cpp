#include "core/base/content_language.h"
#include "core/experiments/experiment_catalogue.h"
#include "core/experiments/experiment_measures.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/mask_choice.h"
#include "core/ops/matmul.h"
#include "core/ops/softmax.h"
#include "core/train/data/repeat_task.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLongest = 12; ///< Maximum tokens of the sentence.
constexpr std::int64_t kKeys = 64;
constexpr std::uint64_t kSeed = 4;
constexpr std::int64_t kFirstUpdates = 10;
constexpr std::int64_t kNarrow = 32; ///< Width of the model that P3 trains for these updates.

/// Immediate evidence of a pitfall: one number for the broken and the fixed model.
struct Shown
{
    std::string what; ///< Name of the number, with its unit.
    std::string brokenLabel;
    std::string fixedLabel;
    double broken = 0.0;
    double fixed = 0.0;
    std::string sentence = {};
    std::vector<LabNumber> more = {};
    std::vector<LabBars::Bar> moreBars = {};
};

struct Pitfall
{
    const char* name;
    const char* row;
    const char* symptom;
    const char* cause;
    const char* fix;
    const char* experiment;
    Shown (*show)(const LabSettings&, const LabContext&, const std::stop_token&);
};

Tensor logitsUnder(const MaskChoice& mask, const LoadedModel& model,
                   const std::vector<TokenId>& ids, const LabContext& context)
{
    Interventions changes;
    mask.applyTo(changes, static_cast<std::int64_t>(ids.size()));
    const auto backend = backendOf(context);
    KvCache cache(model.model->config());
    return model.model->forward(ids, *backend, cache, ForwardOptions{.interventions = &changes});
}

/// Largest change of the logits of all positions but the last when the last token is replaced.
double leak(const MaskChoice& mask, const LoadedModel& model, std::vector<TokenId> ids,
            const LabContext& context)
{
    const Tensor before = logitsUnder(mask, model, ids, context);
    const auto vocabulary = static_cast<TokenId>(model.model->config().vocabularySize);
    ids.back() = (ids.back() + 1) % vocabulary;
    const Tensor after = logitsUnder(mask, model, ids, context);
    double largest = 0.0;
    for (std::int64_t row = 0; row + 1 < before.shape()[0]; ++row)
        largest = std::max(largest, largestDifference(before.view()[row], after.view()[row]));
    return largest;
}

Shown showLeak(const LabSettings&, const LabContext& context, const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    std::vector<TokenId> ids = sentenceOf(context, model, kLongest).ids();
    if (ids.size() < 2)
        ids.push_back(ids.front());
    Shown shown{"change of the logits of earlier words", "without the mask", "with the mask"};
    MaskChoice mask;
    shown.fixed = leak(mask, model, ids, context);
    throwIfStopped(stop);
    mask.kind = MaskChoice::Kind::None;
    shown.broken = leak(mask, model, ids, context);
    shown.sentence = fmt::format(
        "Replace the last word of your sentence: without the mask the logits at earlier "
        "words change by up to {:.3g}, with it by {:.3g}.",
        shown.broken, shown.fixed);
    return shown;
}

double orderDifference(const char* positions, const LabContext& context,
                       const std::stop_token& stop)
{
    const Lab& lab = catalogueLab("no-order");
    LabSettings settings(lab.controls);
    settings.set("positions", positions);
    return lab.run(settings, context, stop).number("largest_difference").value;
}

Shown showOrder(const LabSettings&, const LabContext& context, const std::stop_token& stop)
{
    Shown shown{"difference of \"dog bites man\" and \"man bites dog\"", "without positions",
                "with learned positions"};
    shown.broken = orderDifference("none", context, stop);
    shown.fixed = orderDifference("learned", context, stop);
    shown.sentence = fmt::format("Without positions the two sentences differ by {:.1e}, which is "
                                 "rounding; with them by {:.3f}.",
                                 shown.broken, shown.fixed);
    return shown;
}

/// Mean learning rate of a variant's first updates.
double firstRates(const ExperimentVariant& variant)
{
    double sum = 0.0;
    for (const double rate :
         variant.config.schedule.curve(variant.config.optimizer.learningRate, kFirstUpdates))
        sum += rate;
    return sum / static_cast<double>(kFirstUpdates);
}

/// |end - start| / |start|.
double relativeChange(std::span<const float> start, std::span<const float> end)
{
    double change = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        change += std::pow(static_cast<double>(end[i]) - static_cast<double>(start[i]), 2);
        size += std::pow(static_cast<double>(start[i]), 2);
    }
    return size > 0.0 ? std::sqrt(change / size) : 0.0;
}

/// What a variant's first updates do to a narrow model of the same depth and norms.
struct FirstUpdates
{
    double lossBefore = 0.0; ///< On a batch that is not trained on, nats.
    double lossAfter = 0.0;
    double moved = 0.0; ///< Norm of the weights' change relative to the weights.
};

FirstUpdates firstUpdates(const ExperimentVariant& variant, const LabContext& context,
                          const std::stop_token& stop)
{
    const auto tokenizer = symbolTokenizer();
    RepeatTaskSettings repeats;
    repeats.rows = 8;
    repeats.length = 32;
    const RepeatTask task(*tokenizer, repeats);
    ModelConfig config = variant.config.model;
    config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
    config.dModel = kNarrow;
    config.heads = 4;
    config.dFf = 4 * kNarrow;
    config.maxLen = 2 * repeats.length;
    TrainingState state = initialState(config, kSeed);
    const std::vector<float> start(state.parameters.values().begin(),
                                   state.parameters.values().end());
    Trainer::Settings settings;
    settings.optimizer = variant.config.optimizer;
    settings.schedule = variant.config.schedule;
    settings.makeBackend = [&context] { return backendOf(context); };
    Trainer trainer(config, std::move(state), std::move(settings));
    const Batch unseen = task.trainingBatch(kSeed, kFirstUpdates);
    FirstUpdates result;
    result.lossBefore = trainer.evaluate(unseen);
    for (std::int64_t step = 0; step < kFirstUpdates; ++step) {
        throwIfStopped(stop);
        trainer.step(task.trainingBatch(kSeed, step));
    }
    result.lossAfter = trainer.evaluate(unseen);
    result.moved = relativeChange(start, trainer.snapshot()->parameters().values());
    return result;
}

Shown showWarmup(const LabSettings&, const LabContext& context, const std::stop_token& stop)
{
    const Experiment& experiment = catalogueExperiment("post-norm-warmup");
    const ExperimentVariant& broken = experiment.variants.front();
    const ExperimentVariant& fixed = experiment.variants.back();
    const FirstUpdates without = firstUpdates(broken, context, stop);
    const FirstUpdates with = firstUpdates(fixed, context, stop);
    Shown shown{fmt::format("loss after {} updates", kFirstUpdates), broken.label, fixed.label};
    shown.broken = without.lossAfter;
    shown.fixed = with.lossAfter;
    shown.sentence = fmt::format(
        "{} updates of a narrow model of this depth move its weights by {:.1f} % without warm-up "
        "and by {:.1f} % with it. The loss goes from {:.3f} to {:.3f} and to {:.3f}: {}.",
        kFirstUpdates, 100.0 * without.moved, 100.0 * with.moved, without.lossBefore,
        without.lossAfter, with.lossAfter,
        without.lossAfter > std::max(without.lossBefore, with.lossAfter)
            ? "the full first steps overshoot"
            : "these few steps do no harm yet, the experiment trains on");
    shown.more = {{"rate_broken", "Mean learning rate without warm-up", firstRates(broken)},
                  {"rate_fixed", "Mean learning rate with warm-up", firstRates(fixed)},
                  {"moved_broken", "Weights moved without warm-up", 100.0 * without.moved, "%"},
                  {"moved_fixed", "Weights moved with warm-up", 100.0 * with.moved, "%"},
                  {"loss_before", "Loss before the updates", without.lossBefore, "nats"}};
    return shown;
}

/// Statistics of softmax rows of random queries and keys [rows, keys].
struct Weights
{
    double largest = 0.0;           ///< Largest weight of a row, mean over the rows.
    double nanFraction = 0.0;       ///< Fraction of NaN rows without max-subtraction.
    double stableNanFraction = 0.0; ///< Fraction of NaN rows with max-subtraction.
    double topScore = 0.0;
    std::int64_t firstNan = -1;
    double slope = 0.0; ///< Norm of d weights / d scores of a row, mean over the rows.
};

/// Frobenius norm of the derivative of softmax, diag(w) - w w^T, for weights w.
double softmaxSlope(std::span<const float> weights)
{
    double squares = 0.0;
    double cubes = 0.0;
    for (const double weight : weights) {
        squares += weight * weight;
        cubes += weight * weight * weight;
    }
    return std::sqrt(std::max(squares - 2.0 * cubes + squares * squares, 0.0));
}

Weights weightsOf(std::int64_t width, double scale)
{
    const Tensor rows = randomRows(Shape{kKeys, width}, kSeed);
    const Tensor others = randomRows(Shape{kKeys, width}, kSeed + 1);
    Weights result;
    Tensor scores(Shape{kKeys, kKeys});
    matmul(Transpose::No, Transpose::Yes, kKeys, kKeys, width, static_cast<float>(scale),
           rows.data(), width, others.data(), width, 0.0F, scores.data(), kKeys);
    for (const float score : std::as_const(scores).values())
        result.topScore = std::max(result.topScore, static_cast<double>(score));
    Tensor weights(scores.shape());
    softmax(scores.view(), weights.view());
    for (std::int64_t i = 0; i < kKeys; ++i) {
        const auto row = static_cast<std::size_t>(i * kKeys);
        const auto size = static_cast<std::size_t>(kKeys);
        const std::span<const float> plain = std::as_const(scores).values().subspan(row, size);
        const std::span<const float> stable = std::as_const(weights).values().subspan(row, size);
        result.largest +=
            static_cast<double>(*std::ranges::max_element(stable)) / static_cast<double>(kKeys);
        result.slope += softmaxSlope(stable) / static_cast<double>(kKeys);
        if (std::ranges::any_of(stable, [](float weight) { return std::isnan(weight); }))
            result.stableNanFraction += 1.0 / static_cast<double>(kKeys);
        if (!std::isnan(softmaxWithoutMaximum(plain).front()))
            continue;
        result.nanFraction += 1.0 / static_cast<double>(kKeys);
        if (result.firstNan < 0)
            result.firstNan = i;
    }
    return result;
}

Shown showScale(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t width = settings.integer("size");
    const Weights raw = weightsOf(width, 1.0);
    const Weights scaled = weightsOf(width, 1.0 / std::sqrt(static_cast<double>(width)));
    Shown shown{"largest weight of a row, mean", "scores unscaled", "scores / \u221Ad_k"};
    shown.broken = raw.largest;
    shown.fixed = scaled.largest;
    const std::string overflow =
        raw.firstNan < 0
            ? fmt::format(
                  "Softmax without subtracting the largest score still works: e^{:.0f} does "
                  "not overflow yet.",
                  raw.topScore)
            : fmt::format("Without subtracting the largest score e^{:.0f} overflows: {:.0f} % of "
                          "the rows are NaN, query {} first.",
                          raw.topScore, 100.0 * raw.nanFraction, raw.firstNan);
    shown.sentence = fmt::format(
        "Unscaled, one key takes {:.2f} of the weight; scaled, {:.2f}. The gradient through the "
        "softmax has norm {:.3f} and {:.3f}: {}. {}",
        shown.broken, shown.fixed, raw.slope, scaled.slope,
        raw.slope < 0.5 * scaled.slope ? "unscaled, most of it vanishes"
                                       : "unscaled, it does not vanish",
        overflow);
    shown.more = {
        {"slope_broken", "Gradient through the softmax, unscaled", raw.slope},
        {"slope_fixed", "Gradient through the softmax, scaled", scaled.slope},
        {"largest_score", "Largest score", raw.topScore},
        {"nan_percent", "NaN rows without max-subtraction", 100.0 * raw.nanFraction, "%"},
        {"nan_percent_stable", "NaN rows with max-subtraction", 100.0 * raw.stableNanFraction, "%"},
        {"nan_percent_scaled", "NaN rows, scaled", 100.0 * scaled.nanFraction, "%"}};
    shown.moreBars = {{"NaN rows, no max-subtraction", raw.nanFraction,
                       fmt::format("{:.0f} %", 100.0 * raw.nanFraction), true},
                      {"NaN rows, max-subtraction", raw.stableNanFraction,
                       fmt::format("{:.0f} %", 100.0 * raw.stableNanFraction)}};
    return shown;
}

Shown showEmbedding(const LabSettings& settings, const LabContext& context,
                    const std::stop_token& stop)
{
    const Lab& lab = catalogueLab("embedding");
    LabSettings inner(lab.controls);
    const std::int64_t width = std::clamp<std::int64_t>(settings.integer("size"), 16, 1024);
    inner.set("d", fmt::format("{}", width));
    const LabResult found = lab.run(inner, context, stop);
    Shown shown{"length of an embedding relative to a position", "embeddings unscaled",
                "embeddings \u00B7 \u221Ad"};
    shown.broken = found.number("ratio").value;
    shown.fixed = found.number("ratio_scaled").value;
    shown.sentence =
        fmt::format("At width {} an untrained embedding is {:.3f} times as long as its "
                    "position; multiplied by \u221Ad it is {:.2f} times as long.",
                    width, shown.broken, shown.fixed);
    return shown;
}

constexpr std::array<Pitfall, 5> kPitfalls{
    {{"mask", "P1", "The loss is too low, the text nonsense", "Every token sees the next one",
      "Add the causal mask", "mask-missing", showLeak},
     {"positions", "P2", "Order does not matter", "Attention treats its input as a set",
      "Add positions", "positions-missing", showOrder},
     {"warmup", "P3", "The loss jumps, then stays high", "Full-size steps at the start",
      "Use warm-up or pre-norm", "post-norm-warmup", showWarmup},
     {"scale", "P4", "One key gets all the weight; NaN", "Scores grow with d_k; e^x overflows",
      "Divide by \u221Ad_k, subtract the maximum", "score-scale", showScale},
     {"embedding", "P5", "Positions drown the embeddings", "Fresh embeddings are small",
      "Multiply by \u221Ad", "embedding-scale", showEmbedding}}};

/// Table of all pitfalls, with titles from `pitfalls`.
LabTable tableOf(const Pitfall& current, const LabControl& pitfalls)
{
    LabTable table{{"", "Pitfall", "Symptom", "Cause", "Fix", "Experiment"}, {}, 0};
    for (const Pitfall& pitfall : kPitfalls) {
        if (pitfall.row == current.row)
            table.current = static_cast<int>(table.rows.size());
        table.rows.push_back({pitfall.row, pitfalls.titleOf(pitfall.name), message(pitfall.symptom),
                              message(pitfall.cause), message(pitfall.fix),
                              catalogueExperiment(pitfall.experiment).title});
    }
    return table;
}

} // namespace

LabResult runPitfalls(const LabSettings& settings, const LabContext& context,
                      const std::stop_token& stop)
{
    const Pitfall& pitfall = chosenEntry(kPitfalls, settings, "pitfall");
    const LabControl& pitfalls = settings.control("pitfall");
    Shown shown = pitfall.show(settings, context, stop);
    for (std::string* text : {&shown.what, &shown.brokenLabel, &shown.fixedLabel})
        *text = message(*text);
    for (LabBars::Bar& bar : shown.moreBars)
        bar.label = message(bar.label);
    const Experiment& experiment = catalogueExperiment(pitfall.experiment);
    LabBars bars{"",
                 {{shown.brokenLabel, shown.broken, fmt::format("{:.4g}", shown.broken), true},
                  {shown.fixedLabel, shown.fixed, fmt::format("{:.4g}", shown.fixed)}}};
    bars.bars.insert(bars.bars.end(), shown.moreBars.begin(), shown.moreBars.end());

    LabResult result;
    result.panels = {
        {pitfalls.titleOf(pitfall.name) + ": " + shown.what,
         fmt::format("The experiment \"{}\" ({}) trains both", experiment.title, experiment.name),
         std::move(bars)},
        {"Five pitfalls", "Each has its own experiment on the Experiments page",
         tableOf(pitfall, pitfalls)}};
    result.numbers = {{"broken", shown.what + ", " + shown.brokenLabel, shown.broken},
                      {"fixed", shown.what + ", " + shown.fixedLabel, shown.fixed},
                      {"variants", "Training runs of the experiment",
                       static_cast<double>(experiment.variants.size())}};
    result.numbers.insert(result.numbers.end(), shown.more.begin(), shown.more.end());
    result.sentence = std::move(shown.sentence);
    return result;
}

} // namespace headscope
