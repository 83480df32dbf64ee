#include "core/experiments/experiment_measures.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/experiments/batch_measures.h"
#include "core/experiments/stream_measures.h"
#include "core/experiments/text_measures.h"
#include "core/experiments/translation_measures.h"
#include "core/model/config/size_report.h"
#include "core/train/measures/pattern_keeper.h"
#include "core/train/measures/target_accuracy.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope {

namespace {

constexpr std::int64_t kRows = 4; ///< Number of held-out rows used.

void addNumber(VariantResult& result, const char* name, double value)
{
    result.numbers.push_back({name, value});
}

/// Makes one step with a fresh model, for its gradient.
void addStartGradients(const TrainedVariant& variant, VariantResult& result)
{
    Trainer::Settings settings;
    settings.optimizer = variant.config.optimizer;
    settings.loss = variant.config.loss;
    settings.seed = variant.config.seed;
    settings.makeBackend = variant.makeBackend;
    Trainer trainer(variant.data.model, initialState(variant.data.model, variant.config.seed),
                    std::move(settings));
    const StepReport report =
        trainer.step(variant.data.batches->trainingBatch(variant.config.seed, 0));
    ExperimentSeries series{"start_gradients", {}, {}};
    for (const GradientNorm& norm : trainer.gradientNorms()) {
        if (!norm.layer.starts_with("h."))
            continue;
        series.x.push_back(static_cast<double>(series.x.size()));
        series.y.push_back(norm.norm);
    }
    addNumber(result, "start_gradient", report.gradientNorm);
    addNumber(result, "start_first_block", series.y.front());
    addNumber(result, "start_last_block", series.y.back());
    result.series.push_back(std::move(series));
}

template<class Visit>
void forHeldOutRows(const TrainedVariant& variant, const Model& model, Site site, Visit visit)
{
    const Batch batch = variant.data.batches->validationBatch(0);
    for (std::int64_t row = 0; row < std::min(kRows, batch.rows); ++row) {
        PatternKeeper keeper(site);
        KvCache cache(model.config());
        model.forward(batchRow(batch.inputs, batch.length, row), variant.backend, cache, &keeper);
        visit(keeper.patterns, row);
    }
}

double meanEntropyOf(const TrainedVariant& variant, const Model& model)
{
    const bool seesAhead = !(model.config().hasDecoder() && model.config().causal);
    double sum = 0.0;
    std::int64_t count = 0;
    forHeldOutRows(variant, model, Site::Pattern, [&](const auto& patterns, std::int64_t) {
        for (const Tensor& pattern : patterns) {
            for (std::int64_t head = 0; head < pattern.shape()[0]; ++head, ++count)
                sum += entropyOf(pattern.view()[head], seesAhead).normalised;
        }
    });
    return sum / static_cast<double>(count);
}

void addEntropy(const TrainedVariant& variant, VariantResult& result)
{
    const Model start = Model::initialised(variant.data.model, variant.config.seed);
    addNumber(result, "start_entropy", meanEntropyOf(variant, start));
    addNumber(result, "entropy", meanEntropyOf(variant, variant.model));
}

void addOverflow(const TrainedVariant& variant, VariantResult& result)
{
    double largest = 0.0;
    std::int64_t rows = 0;
    std::int64_t broken = 0;
    std::string first;
    forHeldOutRows(variant, variant.model, Site::AttnScores, [&](const auto& layers, auto text) {
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            const TensorView scores = layers[layer].view();
            for (std::int64_t head = 0; head < scores.shape[0]; ++head) {
                for (std::int64_t query = 0; query < scores.shape[1]; ++query, ++rows) {
                    const std::span row(&scores(head, query, 0),
                                        static_cast<std::size_t>(scores.shape[2]));
                    largest =
                        std::max(largest, static_cast<double>(*std::ranges::max_element(row)));
                    if (!std::isnan(softmaxWithoutMaximum(row)[0]))
                        continue;
                    ++broken;
                    if (first.empty())
                        first = fmt::format("blocks.{}.attn.hook_pattern, head {}, query {} of "
                                            "text {}",
                                            layer, head, query, text);
                }
            }
        }
    });
    addNumber(result, "largest_score", largest);
    addNumber(result, "overflow_rows", static_cast<double>(broken) / static_cast<double>(rows));
    if (!first.empty())
        result.notes.push_back("NaN without the largest score subtracted, first in " + first);
}

double meanNorm(TensorView rows)
{
    double sum = 0.0;
    for (std::int64_t row = 0; row < rows.shape[0]; ++row) {
        double squares = 0.0;
        for (std::int64_t i = 0; i < rows.shape[1]; ++i)
            squares += std::pow(static_cast<double>(rows(row, i)), 2);
        sum += std::sqrt(squares);
    }
    return sum / static_cast<double>(rows.shape[0]);
}

/// Mean norms of the embedding and of the positions added to it.
class StreamNorms final : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override
    {
        return key.site == Site::Embed || key.site == Site::PosEmbed;
    }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        (key.site == Site::Embed ? words : positions) = meanNorm(activation);
    }

    double words = 0.0;
    double positions = 0.0;
};

void addWordsToPositions(const TrainedVariant& variant, VariantResult& result)
{
    const Model start = Model::initialised(variant.data.model, variant.config.seed);
    const Batch batch = variant.data.batches->validationBatch(0);
    StreamNorms norms;
    KvCache cache(start.config());
    start.forward(batchRow(batch.inputs, batch.length, 0), variant.backend, cache, &norms);
    if (norms.positions > 0.0)
        addNumber(result, "words_to_positions", norms.words / norms.positions);
}

void addSize(const TrainedVariant& variant, VariantResult& result)
{
    const SizeReport size = sizeReport(variant.data.model);
    addNumber(result, "parameters", static_cast<double>(size.total() - size.embeddings));
}

void addHeads(const TrainedVariant& variant, VariantResult& result)
{
    const auto heads = static_cast<double>(variant.data.model.heads);
    addNumber(result, "heads", heads);
    addNumber(result, "head_channels", static_cast<double>(variant.data.model.headDim()));
    result.series.push_back({"loss_by_heads", {heads}, {result.number("validation_loss")}});
}

void addCache(const TrainedVariant& variant, VariantResult& result)
{
    constexpr std::int64_t kHalfPrecision = 2; // bytes
    const auto bytes = static_cast<double>(kvCacheBytes(variant.data.model, 1, kHalfPrecision));
    addSize(variant, result);
    addNumber(result, "cache_bytes", bytes);
    result.series.push_back({"loss_by_cache", {bytes}, {result.number("validation_loss")}});
}

} // namespace

void addHeldOut(const TrainedVariant& variant, VariantResult& result)
{
    const TargetAccuracy accuracy =
        measureTargets(variant.model, *variant.data.batches, variant.backend);
    addNumber(result, "validation_loss", accuracy.loss);
    addNumber(result, "accuracy", accuracy.tokens);
}

std::vector<float> softmaxWithoutMaximum(std::span<const float> scores)
{
    std::vector<float> weights;
    for (const float score : scores)
        weights.push_back(std::exp(score));
    const float sum = std::accumulate(weights.begin(), weights.end(), 0.0F);
    for (float& weight : weights)
        weight /= sum;
    // one infinite term makes its own weight NaN and the others 0
    if (std::ranges::any_of(weights, [](float weight) { return std::isnan(weight); }))
        std::ranges::fill(weights, std::numeric_limits<float>::quiet_NaN());
    return weights;
}

void addMeasure(Measure measure, const TrainedVariant& variant, VariantResult& result)
{
    switch (measure) {
    case Measure::StartGradients:
        return addStartGradients(variant, result);
    case Measure::Entropy:
        return addEntropy(variant, result);
    case Measure::PrefixLoss:
        return addNumber(result, "prefix_loss", prefixLoss(variant));
    case Measure::WrittenText:
        return addWrittenText(variant, result);
    case Measure::Calibration:
        return addCalibration(variant, result);
    case Measure::Lengths:
        return addLengths(variant, result);
    case Measure::Overflow:
        return addOverflow(variant, result);
    case Measure::WordsToPositions:
        return addWordsToPositions(variant, result);
    case Measure::Size:
        return addSize(variant, result);
    case Measure::Translation:
        return addTranslations(variant, result);
    case Measure::Stream:
        return addStream(variant, result);
    case Measure::Batches:
        return addBatches(variant, result);
    case Measure::Heads:
        return addHeads(variant, result);
    case Measure::Cache:
        return addCache(variant, result);
    }
}

} // namespace headscope
