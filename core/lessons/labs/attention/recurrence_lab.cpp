#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/attention/recall_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

constexpr std::int64_t kBatchesAtDistance = 8;
constexpr double kReached = 0.9; ///< Accuracy that counts as recalled.

/// What is measured of one model.
struct Recalled
{
    std::string name;
    std::string title;
    double parameters = 0.0;
    std::vector<double> accuracy;       ///< Fraction recalled, by distance.
    std::vector<double> startGradients; ///< Before training, by distance.
    std::vector<double> gradients;      ///< After training, by distance.
    double reach = 0.0;                 ///< Largest distance up to which all are recalled.
    double seconds = 0.0;               ///< Training time.
};

std::vector<std::int64_t> distancesUpTo(std::int64_t longest)
{
    std::vector<std::int64_t> distances;
    for (std::int64_t distance = 1; distance <= longest; distance *= 2)
        distances.push_back(distance);
    return distances;
}

std::vector<double> accuracyByDistance(RecallLearner& learner, const RecallTask& task)
{
    std::vector<double> accuracy;
    for (const std::int64_t distance : distancesUpTo(task.settings().length)) {
        double right = 0.0;
        double targets = 0.0;
        for (std::int64_t index = 0; index < kBatchesAtDistance; ++index) {
            const TargetCounts counts = learner.measure(task.validationBatchAt(distance, index));
            right += static_cast<double>(counts.right);
            targets += static_cast<double>(counts.targets);
        }
        accuracy.push_back(right / targets);
    }
    return accuracy;
}

/// Gradient of the symbol that a query asks for, relative to that of the query itself.
std::vector<double> gradientsByDistance(RecallLearner& learner, const RecallTask& task)
{
    std::vector<double> gradients;
    for (const std::int64_t distance : distancesUpTo(task.settings().length)) {
        const auto norms = learner.gradientByDistance(task.validationBatchAt(distance, 0));
        gradients.push_back(norms[static_cast<std::size_t>(distance)] / norms.front());
    }
    return gradients;
}

double reachOf(const std::vector<double>& accuracy, const std::vector<std::int64_t>& distances)
{
    double reach = 0.0;
    for (std::size_t i = 0; i < accuracy.size() && accuracy[i] >= kReached; ++i)
        reach = static_cast<double>(distances[i]);
    return reach;
}

/// Progress of training all learners.
struct TrainingPart
{
    double done = 0.0; ///< Steps of the learners before.
    double all = 1.0;
};

Recalled trainAndMeasure(RecallLearner& learner, const RecallTask& task,
                         const RecallLearner::Settings& settings, TrainingPart part,
                         const LabContext& context, const std::stop_token& stop)
{
    Recalled result;
    result.name = learner.name();
    result.title = learner.title();
    result.parameters = static_cast<double>(learner.parameters());
    result.startGradients = gradientsByDistance(learner, task);
    for (std::int64_t step = 0; step < settings.steps; ++step) {
        throwIfStopped(stop);
        result.seconds += learner.step(task.trainingBatch(settings.seed, step)).seconds;
        reportProgress(context, (part.done + static_cast<double>(step + 1)) / part.all);
    }
    result.accuracy = accuracyByDistance(learner, task);
    result.gradients = gradientsByDistance(learner, task);
    result.reach = reachOf(result.accuracy, distancesUpTo(task.settings().length));
    return result;
}

std::vector<Recalled> trainAll(const RecallTask& task, RecallLearner::Settings settings,
                               const LabContext& context, const std::stop_token& stop)
{
    settings.vocabularySize = task.vocabularySize();
    settings.longestText = task.settings().length + task.settings().queries;
    const RecallLearners learners = makeRecallLearners(settings, context);
    std::vector<Recalled> all;
    for (const auto& learner : learners) {
        TrainingPart part;
        part.done = static_cast<double>(settings.steps) * static_cast<double>(all.size());
        part.all = static_cast<double>(settings.steps) * static_cast<double>(learners.size());
        all.push_back(trainAndMeasure(*learner, task, settings, part, context, stop));
    }
    return all;
}

std::vector<double> asNumbers(const std::vector<std::int64_t>& values)
{
    return {values.begin(), values.end()};
}

LabPanel accuracyPanel(const std::vector<Recalled>& all, const RecallTask& task, double chance)
{
    LabChart chart{"symbols back", "recalled, %", true};
    const std::vector<double> x = asNumbers(distancesUpTo(task.settings().length));
    const auto percent = [](std::vector<double> values) {
        for (double& value : values)
            value *= 100.0;
        return values;
    };
    for (const Recalled& one : all)
        chart.series.push_back({one.title, x, percent(one.accuracy)});
    chart.series.push_back({"chance", x, std::vector<double>(x.size(), chance), true});
    return {"Recalled, by distance",
            fmt::format("{} to {} parameters each", grouped(std::llround(all[0].parameters)),
                        grouped(std::llround(all[2].parameters))),
            std::move(chart)};
}

/// NaN where nothing at all arrives, which a logarithmic axis cannot show.
std::vector<double> visible(std::vector<double> values)
{
    for (double& value : values)
        if (value <= 0.0)
            value = std::numeric_limits<double>::quiet_NaN();
    return values;
}

LabPanel gradientPanel(const std::vector<Recalled>& all, const RecallTask& task)
{
    LabChart chart{"symbols back", "gradient", true, true};
    const std::vector<double> x = asNumbers(distancesUpTo(task.settings().length));
    for (const Recalled& one : all)
        chart.series.push_back({one.title, x, visible(one.gradients)});
    for (const Recalled& one : all)
        chart.series.push_back({one.title + ", untrained", x, visible(one.startGradients), true});
    return {"Gradient that reaches the symbol", "1: as much as the query itself gets",
            std::move(chart)};
}

void addNumbers(const Recalled& one, LabResult& result)
{
    const auto add = [&](const char* name, const char* title, double value, const char* unit = "") {
        result.numbers.push_back(
            labNumber(std::string(name) + "_" + one.name, one.title + ": " + title, value, unit));
        return &result.numbers.back();
    };
    add("parameters", "parameters", one.parameters);
    add("accuracy_near", "recalled, nearest", 100.0 * one.accuracy.front(), "%");
    add("accuracy_far", "recalled, furthest", 100.0 * one.accuracy.back(), "%");
    add("reach", "recalls up to", one.reach, "symbols");
    add("gradient_start", "gradient, untrained", one.startGradients.back());
    add("gradient", "gradient, trained", one.gradients.back());
    add("seconds", "training time", one.seconds, "s")->isMeasured = true;
}

/// Conclusion from how far each of them recalls.
std::string conclusionOf(const Recalled& rnn, const Recalled& lstm, const Recalled& transformer)
{
    const double recurrent = std::max(rnn.reach, lstm.reach);
    if (transformer.reach > recurrent)
        return "attention reaches further";
    return transformer.reach < recurrent ? "recurrence reaches further here"
                                         : "attention reaches no further here";
}

} // namespace

LabResult runRecurrence(const LabSettings& settings, const LabContext& context,
                        const std::stop_token& stop)
{
    RecallTaskSettings taskSettings;
    taskSettings.length = chosenNumber(settings, "length");
    const RecallTask task(taskSettings);
    RecallLearner::Settings training;
    training.steps = settings.integer("steps");
    training.seed = static_cast<std::uint64_t>(settings.integer("seed"));
    const std::vector<Recalled> all = trainAll(task, training, context, stop);
    const double chance = 100.0 / static_cast<double>(taskSettings.symbols);
    LabResult result;
    result.panels = {accuracyPanel(all, task, chance), gradientPanel(all, task)};
    result.numbers = {labNumber("distance", "Distance", taskSettings.length),
                      labNumber("chance", "Chance", chance, "%")};
    for (const Recalled& one : all)
        addNumbers(one, result);
    putFirst(result, "accuracy_far_transformer");
    const auto far = [&](std::size_t index) { return 100.0 * all[index].accuracy.back(); };
    result.sentence = fmt::format(
        "Over {} symbols the RNN recalls {:.0f} %, the LSTM {:.0f} %, the transformer {:.0f} % "
        "(chance: {:.1f} %). Nine of ten are right up to a distance of {:.0f}, {:.0f} and {:.0f}: "
        "{}.",
        taskSettings.length, far(0), far(1), far(2), chance, all[0].reach, all[1].reach,
        all[2].reach, conclusionOf(all[0], all[1], all[2]));
    return result;
}

} // namespace headscope
