#include "core/lessons/labs/training/trained_sequences.h"

#include "core/lessons/labs/lab_parts.h"
#include "core/train/measures/task_heads.h"
#include "core/train/measures/translations.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

namespace headscope {

namespace {

constexpr std::int64_t kCurvePoints = 10;
constexpr std::int64_t kCurvePairs = 32;
constexpr std::size_t kRemembered = 4; ///< Trainings kept in memory, each below a megabyte.

using Key = std::tuple<std::string, std::int64_t, std::string>;

std::shared_ptr<const TrainedSequences> trainNow(const std::string& name, std::int64_t steps,
                                                 const LabContext& context,
                                                 const std::stop_token& stop)
{
    auto result = std::make_shared<TrainedSequences>();
    std::vector<ShortTraining> trainings{configuredTraining(name, "loss", steps)};
    trainings[0].watchEvery = std::max<std::int64_t>(1, steps / kCurvePoints);
    trainings[0].watch = [&](std::int64_t step, const auto& model, const PreparedData& data) {
        const auto backend = backendOf(context);
        const Translations written =
            translateHeldOut(*model, data, *backend, {.pairs = kCurvePairs}, stop);
        for (LabChart::Series* series : {&result->exact, &result->bleu})
            series->x.push_back(static_cast<double>(step));
        result->exact.y.push_back(written.exact);
        result->bleu.y.push_back(written.bleu.score());
    };
    result->data = trainShortly(trainings, context, stop);
    result->training = std::move(trainings[0]);
    result->training.watch = {};
    const auto backend = backendOf(context);
    result->head =
        crossHead(*result->training.model, result->training.config.data, result->data, *backend);
    return result;
}

} // namespace

LoadedModel TrainedSequences::model() const
{
    return {training.label, training.model, data.tokenizer};
}

std::shared_ptr<const TrainedSequences> trainSequences(const std::string& name, std::int64_t steps,
                                                       const LabContext& context,
                                                       const std::stop_token& stop)
{
    static std::mutex mutex;
    static std::map<Key, std::shared_ptr<const TrainedSequences>> known;
    const Key key{name, steps, backendOf(context)->describe()};
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = known.find(key); found != known.end())
            return found->second;
    }
    auto trained = trainNow(name, steps, context, stop);
    const std::scoped_lock lock(mutex);
    if (known.size() >= kRemembered)
        known.clear();
    return known[key] = std::move(trained);
}

} // namespace headscope
