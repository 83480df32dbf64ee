#include "core/base/random.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/train/measures/gradient_norms.h"

#include <fmt/format.h>

#include <array>

namespace headscope {

namespace {

constexpr std::int64_t kVocabulary = 64;
constexpr std::int64_t kRows = 4;
constexpr std::int64_t kLength = 16;
constexpr std::uint64_t kSeed = 1;
constexpr std::array<std::int64_t, 5> kDepths{2, 4, 8, 16, 24};

struct Start
{
    std::int64_t layers = 0;
    std::int64_t width = 0;
};

ModelConfig configOf(const Start& start, NormPosition position)
{
    ModelConfig config;
    config.vocabularySize = kVocabulary;
    config.dModel = start.width;
    config.heads = 4;
    config.layers = start.layers;
    config.dFf = 4 * start.width;
    config.maxLen = kLength;
    config.normPosition = position;
    config.initialisation = Initialisation::FanIn;
    return config;
}

/// Random tokens: an untrained model cannot tell them from text.
Batch randomBatch()
{
    Random random(kSeed);
    Batch batch{kRows, kLength, {}, {}};
    for (std::int64_t i = 0; i < kRows * kLength; ++i) {
        batch.inputs.push_back(static_cast<TokenId>(random.below(kVocabulary)));
        batch.targets.push_back(static_cast<TokenId>(random.below(kVocabulary)));
    }
    return batch;
}

/// Gradient norms of the blocks, first to last, before any update.
std::vector<double> blockGradients(const Start& start, NormPosition position,
                                   const LabContext& context)
{
    const ModelConfig config = configOf(start, position);
    Trainer::Settings settings;
    settings.makeBackend = [&context] { return backendOf(context); };
    Trainer trainer(config, initialState(config, kSeed), std::move(settings));
    ParameterSet gradients(config);
    trainer.lossAndGradients(randomBatch(), gradients);
    std::vector<double> norms;
    for (const GradientNorm& norm : normsByLayer(gradients))
        if (norm.layer.starts_with("h."))
            norms.push_back(norm.norm);
    return norms;
}

LabChart byDepth(Start start, const LabContext& context, const std::stop_token& stop)
{
    LabChart chart{"layers of the model", "gradient of the last layer", true, true};
    chart.series = {{"norm after (post)"}, {"norm before (pre)"}};
    chart.mark = static_cast<double>(start.layers);
    chart.markText = "this model";
    for (const std::int64_t depth : kDepths) {
        throwIfStopped(stop);
        start.layers = depth;
        for (LabChart::Series& series : chart.series)
            series.x.push_back(static_cast<double>(depth));
        chart.series[0].y.push_back(blockGradients(start, NormPosition::Post, context).back());
        chart.series[1].y.push_back(blockGradients(start, NormPosition::Pre, context).back());
    }
    return chart;
}

} // namespace

LabResult runNormPosition(const LabSettings& settings, const LabContext& context,
                          const std::stop_token& stop)
{
    const Start start{settings.integer("layers"), settings.integer("width")};
    const std::vector<double> post = blockGradients(start, NormPosition::Post, context);
    const std::vector<double> pre = blockGradients(start, NormPosition::Pre, context);
    LabChart chart{"layer", "gradient norm", false, true};
    chart.series = {{"norm after (post)", countedPlaces(start.layers, 1.0), post},
                    {"norm before (pre)", countedPlaces(start.layers, 1.0), pre}};

    LabChart depths = byDepth(start, context, stop);
    const auto change = [](const LabChart::Series& series) {
        return series.y.back() / series.y.front();
    };
    LabResult result;
    result.numbers = {{"layers", "Layers", static_cast<double>(start.layers)},
                      {"post_first", "First layer, post", post.front()},
                      {"post_last", "Last layer, post", post.back()},
                      {"pre_first", "First layer, pre", pre.front()},
                      {"pre_last", "Last layer, pre", pre.back()},
                      {"post_rise", "Last to first, post", post.back() / post.front()},
                      {"pre_rise", "Last to first, pre", pre.back() / pre.front()},
                      {"post_to_pre", "Post to pre, last", post.back() / pre.back()},
                      {"post_change", "24 to 2 layers, post", change(depths.series[0])},
                      {"pre_change", "24 to 2 layers, pre", change(depths.series[1])}};
    result.panels = {
        {"Gradient of every layer", "Before the first update", std::move(chart)},
        {"Gradient of the last layer by depth", "Models of 2 to 24 layers", std::move(depths)}};
    result.sentence = fmt::format(
        "With post-norm the last layer's gradient is {:.3g}, {:.2f} times that of the first "
        "layer; with pre-norm it is {:.3g}, {:.2f} times.",
        post.back(), post.back() / post.front(), pre.back(), pre.back() / pre.front());
    putFirst(result, "post_to_pre");
    return result;
}

} // namespace headscope
