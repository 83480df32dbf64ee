#include "core/train/data/recall_task.h"

#include "core/base/error.h"
#include "core/base/random.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kRecallValidationSeed = 0x524543414C4C5641ULL; ///< Used by no training run.

/// Random places of the other items between the queried one and the query.
std::vector<std::int64_t> otherPlaces(std::int64_t distance, std::int64_t count, Random& random)
{
    std::vector<std::int64_t> places(static_cast<std::size_t>(distance - 1));
    std::iota(places.begin(), places.end(), std::int64_t{1});
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        std::swap(places[i], places[i + random.below(places.size() - i)]);
    places.resize(static_cast<std::size_t>(count));
    return places;
}

} // namespace

RecallTask::RecallTask(RecallTaskSettings settings) : m_settings(std::move(settings))
{
    const RecallTaskSettings& s = m_settings;
    if (s.rows < 1 || s.items < 1 || s.values < 2 || s.fillers < 1 || s.lead < 1 ||
        s.distances.empty() || s.validationBatches < 0)
        throw Error("an empty task", "recall task", "Give rows, distances, items and fillers");
    const std::int64_t shortest = *std::ranges::min_element(s.distances);
    if (shortest < s.items)
        throw Error(fmt::format("{} items do not fit into a distance of {}", s.items, shortest),
                    "recall task", "Choose fewer items");
}

std::int64_t RecallTask::vocabularySize() const
{
    return m_settings.items * m_settings.values + m_settings.fillers + m_settings.items;
}

std::int64_t RecallTask::longestRow() const
{
    return m_settings.lead + *std::ranges::max_element(m_settings.distances);
}

std::int64_t RecallTask::distanceOf(std::int64_t batch) const
{
    return m_settings.distances[static_cast<std::size_t>(batch) % m_settings.distances.size()];
}

Batch RecallTask::batch(std::uint64_t seed, std::int64_t number) const
{
    const RecallTaskSettings& s = m_settings;
    const std::int64_t distance = distanceOf(number);
    Random random(seed, static_cast<std::uint64_t>(number));
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
    };
    const std::int64_t lead = below(s.lead);
    Batch batch{s.rows, lead + distance + 1, {}, {}};
    batch.targets.assign(static_cast<std::size_t>(batch.rows * batch.length), kIgnoredTarget);
    for (std::int64_t row = 0; row < s.rows; ++row) {
        for (std::int64_t i = 0; i < batch.length; ++i)
            batch.inputs.push_back(static_cast<TokenId>(s.items * s.values + below(s.fillers)));
        TokenId* const tokens = batch.inputs.data() + row * batch.length + lead;
        const auto place = [&](std::int64_t item, std::int64_t position) {
            tokens[position] = static_cast<TokenId>(item * s.values + below(s.values));
        };
        const std::int64_t asked = below(s.items);
        place(asked, 0);
        std::int64_t other = asked;
        for (const std::int64_t position : otherPlaces(distance, s.items - 1, random))
            place(other = (other + 1) % s.items, position);
        tokens[distance] = static_cast<TokenId>(s.items * s.values + s.fillers + asked);
        batch.targets[static_cast<std::size_t>((row + 1) * batch.length - 1)] = tokens[0];
    }
    return batch;
}

Batch RecallTask::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    return batch(seed, step);
}

Batch RecallTask::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "RecallTask");
    return batch(kRecallValidationSeed, index);
}

} // namespace headscope
