#include "core/base/error.h"
#include "core/lessons/labs/blocks/expert_use.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/short_training.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr const char* kExperiment = "scaling-law"; ///< Its text, data and optimizer.
constexpr const char* kSize = "d32";
constexpr std::int64_t kExperts = 4;
constexpr double kCoefficient = 0.02;

/// The same model without and with the balancing loss.
std::vector<ShortTraining> trainingsFor(const LabSettings& settings)
{
    std::vector<ShortTraining> trainings =
        shortTrainings(kExperiment, {kSize, kSize}, settings.integer("steps"));
    const char* const labels[] = {"without balancing loss", "with balancing loss"};
    for (std::size_t i = 0; i < trainings.size(); ++i) {
        trainings[i].label = labels[i];
        trainings[i].losses.name = labels[i];
        trainings[i].balances.name = labels[i];
        ExpertSettings& experts = trainings[i].config.model.experts;
        experts.count = kExperts;
        experts.topK = settings.integer("top_k");
        experts.balanceCoefficient = i == 0 ? 0.0 : kCoefficient;
    }
    return trainings;
}

ExpertUse useOf(const LoadedModel& model, const LabContext& context)
{
    Tracer tracer(model, backendOf(context));
    const TokenSequence tokens = sentenceOf(context, model, 24);
    return {tracer.trace(tokens, {{"*mlp.hook_router_probs", "*mlp.hook_expert_weights"}}),
            model.tokenizer};
}

double lastTenth(const LabChart::Series& series)
{
    return meanOfLast(std::max<std::size_t>(series.y.size() / 10, 1), series.y);
}

LabPanel balancePanel(const std::vector<ShortTraining>& trainings)
{
    LabChart chart{"step", "1: even load"};
    for (const ShortTraining& training : trainings)
        chart.series.push_back(training.balances);
    chart.series.front().isDashed = true;
    return {"Balancing loss in training", "Mean over the layers, of each batch", std::move(chart)};
}

std::size_t layerOf(const LabSettings& settings, const ExpertUse& use)
{
    const auto wanted = static_cast<std::size_t>(settings.integer("layer"));
    return std::min(wanted, use.layers() - 1);
}

void addLoads(LabResult& result, const ExpertUse& use)
{
    double largest = 0.0;
    double idle = 0.0;
    for (std::size_t layer = 0; layer < use.layers(); ++layer) {
        const std::vector<double> loads = use.loads(layer);
        largest = std::max(largest, std::ranges::max(loads));
        idle += static_cast<double>(std::ranges::count(loads, 0.0));
    }
    result.numbers.insert(
        result.numbers.end(),
        {{"largest_load", "Largest load on the sentence", 100.0 * largest, "%"},
         {"even_load", "Even load", 100.0 / static_cast<double>(use.experts()), "%"},
         {"idle", "Experts without a token", idle},
         {"layers", "Layers", static_cast<double>(use.layers())},
         {"imbalance", "Largest load against even", use.imbalance()}});
}

LabResult resultOf(const LabSettings& settings, const ExpertUse& use, LabPanel last)
{
    LabResult result;
    result.panels = {use.loadPanel(), use.tokenPanel(layerOf(settings, use)), std::move(last)};
    addLoads(result, use);
    return result;
}

} // namespace

LabResult runExpertsTrained(const LabSettings& settings, const LabContext& context,
                            const std::stop_token& stop)
{
    const auto& open = context.model.model;
    if (settings.text("model") == "open") {
        if (!open || open->config().experts.count == 0 || open->config().isEncoderDecoder())
            throw Error("the open model has no experts", "Model",
                        "Open a decoder or an encoder with experts, or train one here");
        const ExpertUse use = useOf(context.model, context);
        LabResult result = resultOf(settings, use, use.probabilityPanel(layerOf(settings, use)));
        result.sentence = fmt::format(
            "In the open model the busiest expert takes {:.0f} % of this sentence in its layer, where "
            "{:.0f} % would be even; {:.0f} experts get no token.",
            result.number("largest_load").value, result.number("even_load").value,
            result.number("idle").value);
        return result;
    }
    std::vector<ShortTraining> trainings = trainingsFor(settings);
    const PreparedData data = trainShortly(trainings, context, stop);
    const std::size_t shown = settings.text("model") == "balanced" ? 1 : 0;
    const ExpertUse use =
        useOf({trainings[shown].label, trainings[shown].model, data.tokenizer}, context);
    LabResult result = resultOf(settings, use, balancePanel(trainings));
    const double without = lastTenth(trainings[0].balances);
    const double with = lastTenth(trainings[1].balances);
    result.numbers.insert(
        result.numbers.end(),
        {{"balance_without", "Balancing loss, not minimised", without},
         {"balance_with", "Balancing loss, minimised", with},
         {"loss_without", "Training loss without", lastTenth(trainings[0].losses), "nats"},
         {"loss_with", "Training loss with", lastTenth(trainings[1].losses), "nats"},
         {"steps", "Steps", settings.number("steps")},
         {"seconds", "Training time", trainings[0].seconds + trainings[1].seconds, "s", true}});
    result.sentence = fmt::format(
        "After {} steps the balancing loss is {:.2f} where nothing minimises it and {:.2f} where "
        "training does; 1 is an even load.",
        settings.integer("steps"), without, with);
    return result;
}

} // namespace headscope
