#include "core/base/content_language.h"
#include "core/base/stopwatch.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/attention/recall_learner.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace headscope {

namespace {

constexpr int kTimedRounds = 9; ///< The median is used: other work interrupts some rounds.

/// What is measured of one model without training.
struct Cost
{
    std::string name;
    std::string title;
    double oneByOneUs = 0.0; ///< Time per token.
    double atOnceUs = 0.0;
    double path = 0.0;
    double gradient = 0.0;  ///< Of the first symbol, relative to that of the query.
    double halfBytes = 0.0; ///< After half the text.
    double bytes = 0.0;
    double mixing = 0.0;
    double mixingTokens = 0.0; ///< Factor for 2 n.
    double mixingWidth = 0.0;  ///< Factor for 2 d.
    double parameters = 0.0;

    double speedUp() const { return oneByOneUs / atOnceUs; }
};

void measureTimes(RecallLearner& learner, std::span<const TokenId> text, Cost& cost)
{
    const double perToken = 1e3 / static_cast<double>(text.size());
    learner.readAtOnce(text); // memory and packed weights are ready before the clock starts
    cost.oneByOneUs =
        perToken * medianMilliseconds(kTimedRounds, [&](int) { learner.readOneByOne(text); });
    cost.atOnceUs =
        perToken * medianMilliseconds(kTimedRounds, [&](int) { learner.readAtOnce(text); });
}

Cost costOf(RecallLearner& learner, const RecallTask& task)
{
    const std::int64_t length = task.settings().length;
    const Batch batch = task.validationBatchAt(length, 0);
    const std::span<const TokenId> text(batch.inputs.data(), static_cast<std::size_t>(length));
    Cost cost;
    cost.name = learner.name();
    cost.title = learner.title();
    cost.parameters = static_cast<double>(learner.parameters());
    measureTimes(learner, text, cost);
    cost.path = static_cast<double>(learner.pathLength(length));
    const std::vector<double> gradients = learner.gradientByDistance(batch);
    cost.gradient = gradients.back() / gradients.front();
    cost.halfBytes = static_cast<double>(learner.readOneByOne(text.first(text.size() / 2)));
    cost.bytes = static_cast<double>(learner.readOneByOne(text));
    cost.mixing = learner.mixing(length, learner.width());
    cost.mixingTokens = learner.mixing(2 * length, learner.width()) / cost.mixing;
    cost.mixingWidth = learner.mixing(length, 2 * learner.width()) / cost.mixing;
    return cost;
}

std::string timeCell(const Cost& cost)
{
    return fmt::format("{:.1f} → {:.1f} µs", cost.oneByOneUs, cost.atOnceUs);
}

std::string pathCell(const Cost& cost)
{
    return fmt::format("{:.0f}", cost.path);
}

std::string gradientCell(const Cost& cost)
{
    return fmt::format("{:.1e}", cost.gradient);
}

std::string mixingCell(const Cost& cost)
{
    return fmt::format("{} (× {:.1f}, × {:.1f})", grouped(std::llround(cost.mixing)),
                       cost.mixingTokens, cost.mixingWidth);
}

std::string memoryCell(const Cost& cost)
{
    return fmt::format("{} → {}", bytesText(cost.halfBytes), bytesText(cost.bytes));
}

LabPanel comparison(const std::vector<Cost>& all, std::int64_t tokens)
{
    using Cell = std::string (*)(const Cost&);
    const std::pair<std::string, Cell> rows[] = {
        {"Time per token, one by one → at once", timeCell},
        {fmt::format("Steps over {} tokens", tokens), pathCell},
        {fmt::format("Gradient over {} tokens, untrained", tokens), gradientCell},
        {"Multiplications (× for 2 n, × for 2 d)", mixingCell},
        {fmt::format("Memory after {} → {} tokens", tokens / 2, tokens), memoryCell}};
    LabTable table{{""}};
    for (const Cost& cost : all)
        table.columns.push_back(cost.title);
    for (const auto& [title, cell] : rows) {
        table.rows.push_back({message(title)});
        for (const Cost& cost : all)
            table.rows.back().push_back(message(cell(cost)));
    }
    return {"Side by side", "multiplications: between positions, in one layer", std::move(table)};
}

void addCosts(const Cost& cost, LabResult& result)
{
    const auto add = [&](const char* name, const char* title, double value, const char* unit = "") {
        result.numbers.push_back(
            labNumber(std::string(name) + "_" + cost.name, cost.title + ": " + title, value, unit));
        return &result.numbers.back();
    };
    add("path", "steps", cost.path);
    add("gradient", "gradient", cost.gradient);
    add("mixing", "multiplications", cost.mixing);
    add("mixing_tokens", "for 2 n", cost.mixingTokens, "×");
    add("mixing_width", "for 2 d", cost.mixingWidth, "×");
    add("memory_half", "memory, half text", cost.halfBytes, "B");
    add("memory", "memory, whole text", cost.bytes, "B");
    add("parameters", "parameters", cost.parameters);
    add("one_by_one", "one by one", cost.oneByOneUs, "µs")->isMeasured = true;
    add("at_once", "at once", cost.atOnceUs, "µs")->isMeasured = true;
    add("parallel", "speed-up", cost.speedUp())->isMeasured = true;
}

/// Conclusion from what reading at once gains.
std::string gainOf(const Cost& lstm, const Cost& transformer)
{
    return transformer.speedUp() > 1.5 * lstm.speedUp()
               ? "attention gains from computing all positions together"
               : "on this machine attention gains little from computing all positions together";
}

} // namespace

LabResult runRecurrenceCost(const LabSettings& settings, const LabContext& context,
                            const std::stop_token& stop)
{
    RecallTaskSettings taskSettings;
    taskSettings.length = chosenNumber(settings, "length");
    taskSettings.rows = 8;
    const RecallTask task(taskSettings);
    RecallLearner::Settings size;
    size.vocabularySize = task.vocabularySize();
    size.longestText = 2 * taskSettings.length;
    size.width = chosenNumber(settings, "width");
    std::vector<Cost> all;
    const RecallLearners learners = makeRecallLearners(size, context);
    for (const auto& learner : learners) {
        throwIfStopped(stop);
        all.push_back(costOf(*learner, task));
        reportProgress(context,
                       static_cast<double>(all.size()) / static_cast<double>(learners.size()));
    }
    LabResult result;
    result.panels = {comparison(all, taskSettings.length)};
    result.numbers = {labNumber("tokens", "Tokens", taskSettings.length)};
    for (const Cost& cost : all)
        addCosts(cost, result);
    putFirst(result, "parallel_transformer");
    result.sentence = fmt::format(
        "Reading {} tokens at once is {:.1f} times as fast as one by one for the RNN, {:.1f} "
        "times for the LSTM and {:.1f} times for the transformer: {}.",
        taskSettings.length, all[0].speedUp(), all[1].speedUp(), all[2].speedUp(),
        gainOf(all[1], all[2]));
    return result;
}

} // namespace headscope
