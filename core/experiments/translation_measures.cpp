#include "core/experiments/translation_measures.h"

#include "core/train/measures/task_heads.h"
#include "core/train/measures/translations.h"

#include <fmt/format.h>

#include <set>

namespace headscope {

namespace {

constexpr int kBeams = 4;
constexpr std::int64_t kPairs = 64;      ///< Translated by the trained model.
constexpr std::int64_t kCurvePairs = 32; ///< Translated by each snapshot.
constexpr std::int64_t kCurvePoints = 12;

/// Steps of snapshots that are spread evenly over the training.
std::set<std::int64_t> curveSteps(const Timeline& timeline)
{
    std::set<std::int64_t> steps;
    const std::int64_t last = timeline.snapshots().empty() ? 0 : timeline.snapshots().back().step;
    for (std::int64_t i = 0; i <= kCurvePoints; ++i) {
        if (const SnapshotRecord* snapshot = timeline.at(i * last / kCurvePoints))
            steps.insert(snapshot->step);
    }
    return steps;
}

void addCurves(const TrainedVariant& variant, VariantResult& result)
{
    ExperimentSeries exact{"exact_by_step", {}, {}};
    ExperimentSeries bleu{"bleu_by_step", {}, {}};
    for (const std::int64_t step : curveSteps(*variant.timeline)) {
        const auto model = variant.timeline->load(step);
        const Translations written =
            translateHeldOut(*model, variant.data, variant.backend, {.pairs = kCurvePairs});
        for (ExperimentSeries* series : {&exact, &bleu})
            series->x.push_back(static_cast<double>(step));
        exact.y.push_back(written.exact);
        bleu.y.push_back(written.bleu.score());
    }
    result.series.push_back(std::move(exact));
    result.series.push_back(std::move(bleu));
}

} // namespace

void addTranslations(const TrainedVariant& variant, VariantResult& result)
{
    const Translations greedy =
        translateHeldOut(variant.model, variant.data, variant.backend, {.pairs = kPairs});
    const Translations beams = translateHeldOut(variant.model, variant.data, variant.backend,
                                                {.pairs = kPairs, .beams = kBeams});
    result.numbers.push_back({"exact", greedy.exact});
    result.numbers.push_back({"bleu", greedy.bleu.score()});
    result.numbers.push_back({"beam_exact", beams.exact});
    result.numbers.push_back({"beam_bleu", beams.bleu.score()});
    if (const auto head =
            crossHead(variant.model, variant.config.data, variant.data, variant.backend))
        result.numbers.push_back({"aligned", head->score});
    if (!greedy.pairs.empty())
        result.sample =
            fmt::format("{} \u2192 {}", greedy.pairs.front().source, greedy.pairs.front().written);
    if (variant.timeline != nullptr)
        addCurves(variant, result);
}

} // namespace headscope
