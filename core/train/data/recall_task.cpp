#include "core/train/data/recall_task.h"

#include "core/base/error.h"
#include "core/base/random.h"

#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kRecallValidationSeed = 0x524543414C4C5641ULL; ///< Used by no training run.
constexpr std::int64_t kAnyDistance = 0;

/// Log-uniform in [1, longest].
std::int64_t anyDistance(std::int64_t longest, Random& random)
{
    const double most = std::log(static_cast<double>(longest + 1));
    return static_cast<std::int64_t>(std::exp(most * random.uniform()));
}

} // namespace

RecallTask::RecallTask(RecallTaskSettings settings) : m_settings(settings)
{
    const RecallTaskSettings& s = m_settings;
    if (s.rows < 1 || s.length < 1 || s.queries < 1 || s.symbols < 2 || s.validationBatches < 0)
        throw Error("an empty task", "recall task", "Give rows, symbols and queries");
}

/// All queries ask for `distance`, or each for one of its own.
Batch RecallTask::batch(std::uint64_t seed, std::uint64_t number, std::int64_t queries,
                        std::int64_t distance) const
{
    const RecallTaskSettings& s = m_settings;
    Random random(seed, number);
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
    };
    Batch batch{s.rows, s.length + queries, {}, {}};
    for (std::int64_t row = 0; row < s.rows; ++row) {
        for (std::int64_t i = 0; i < s.length; ++i)
            batch.inputs.push_back(static_cast<TokenId>(below(s.symbols)));
        batch.targets.insert(batch.targets.end(), static_cast<std::size_t>(s.length),
                             kIgnoredTarget);
        const auto end = static_cast<std::int64_t>(batch.inputs.size());
        for (std::int64_t query = 0; query < queries; ++query) {
            const std::int64_t back =
                distance == kAnyDistance ? anyDistance(s.length, random) : distance;
            batch.inputs.push_back(static_cast<TokenId>(s.symbols + back - 1));
            batch.targets.push_back(batch.inputs[static_cast<std::size_t>(end - back)]);
        }
    }
    return batch;
}

Batch RecallTask::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    return batch(seed, static_cast<std::uint64_t>(step), m_settings.queries, kAnyDistance);
}

Batch RecallTask::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "RecallTask");
    return batch(kRecallValidationSeed, static_cast<std::uint64_t>(index), m_settings.queries,
                 kAnyDistance);
}

Batch RecallTask::validationBatchAt(std::int64_t distance, std::int64_t index) const
{
    if (distance < 1 || distance > m_settings.length)
        throw Error(fmt::format("distance {} of {} symbols", distance, m_settings.length),
                    "RecallTask");
    const auto number = static_cast<std::uint64_t>(index * m_settings.length + distance);
    return batch(~kRecallValidationSeed, number, 1, distance);
}

} // namespace headscope
