#include "core/runs/timeline.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <set>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = 1 << 22;

fs::path pinsPath(const fs::path& run)
{
    return run / "timeline.json";
}

/// Empty for a file that is absent or damaged: pins are a convenience, no weights are lost without
/// it.
std::set<std::int64_t> readPins(const fs::path& run)
{
    std::set<std::int64_t> pins;
    const auto object =
        nlohmann::json::parse(readFileOrNothing(pinsPath(run), kLimit), nullptr, false);
    if (!object.is_object() || !object.contains("pinned") || !object["pinned"].is_array())
        return pins;
    for (const nlohmann::json& step : object["pinned"]) {
        if (step.is_number_integer())
            pins.insert(step.get<std::int64_t>());
    }
    return pins;
}

std::uint64_t sizeOf(const fs::path& path)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? 0 : size;
}

void removeFile(const fs::path& path)
{
    std::error_code ignored; // one file too many does no harm
    fs::remove(path, ignored);
}

/// Among those that `mayGo`, the one whose neighbours in `all` are nearest to each other, the first
/// of several; or none.
template<class MayGo>
std::optional<std::size_t> mostCrowded(const std::vector<SnapshotRecord>& snapshots,
                                       const std::vector<std::size_t>& all, const MayGo& mayGo)
{
    std::optional<std::size_t> best;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!mayGo(all[i]))
            continue;
        const std::int64_t step = snapshots[all[i]].step;
        const std::int64_t before = i == 0 ? 0 : snapshots[all[i - 1]].step;
        const std::int64_t after = i + 1 < all.size() ? snapshots[all[i + 1]].step : step;
        // powers of two, the dense beginning, count eight times their distance
        const bool isEarly = std::has_single_bit(static_cast<std::uint64_t>(step)) && step <= 256;
        const double gap = static_cast<double>(after - before) * (isEarly ? 8.0 : 1.0);
        if (gap < smallest) {
            smallest = gap;
            best = all[i];
        }
    }
    return best;
}

} // namespace

Timeline::Timeline(const fs::path& run) : m_directory(RunDirectory::open(run))
{
    refresh();
}

void Timeline::refresh()
{
    const std::set<std::int64_t> pins = readPins(run());
    m_snapshots.clear();
    for (const std::int64_t step : m_directory.checkpointSteps()) {
        const std::uint64_t weights = sizeOf(m_directory.checkpointPath(step));
        const std::uint64_t state = sizeOf(m_directory.optimizerPath(step));
        if (weights > 0) // not removed in the meantime
            m_snapshots.push_back({step, weights + state, pins.contains(step), state > 0});
    }
}

std::uint64_t Timeline::bytes() const
{
    return std::accumulate(
        m_snapshots.begin(), m_snapshots.end(), std::uint64_t{0},
        [](std::uint64_t sum, const SnapshotRecord& snapshot) { return sum + snapshot.bytes; });
}

const SnapshotRecord* Timeline::at(std::int64_t step) const
{
    const auto after = std::upper_bound(
        m_snapshots.begin(), m_snapshots.end(), step,
        [](std::int64_t value, const SnapshotRecord& snapshot) { return value < snapshot.step; });
    return after == m_snapshots.begin() ? nullptr : &*std::prev(after);
}

fs::path Timeline::path(std::int64_t step) const
{
    return m_directory.checkpointPath(step);
}

std::shared_ptr<const Model> Timeline::load(std::int64_t step) const
{
    std::error_code error;
    if (!fs::exists(path(step), error))
        throw FormatError(fmt::format("there is no snapshot of step {}", step), path(step).string(),
                          std::nullopt, "It may have been thinned out; choose another snapshot");
    return loadCheckpoint(path(step)).model;
}

void Timeline::setPinned(std::int64_t step, bool pinned)
{
    refresh();
    const SnapshotRecord* const snapshot = at(step);
    if (snapshot == nullptr || snapshot->step != step)
        throw Error(fmt::format("there is no snapshot of step {} to pin", step), run().string(),
                    "It may have been thinned out; choose another snapshot");
    std::set<std::int64_t> pins = readPins(run());
    if (pinned)
        pins.insert(step);
    else
        pins.erase(step);
    writeAtomically(pinsPath(run()), dumpJson(nlohmann::json{{"pinned", pins}}) + "\n");
    refresh();
}

bool Timeline::isProtected(std::size_t index, const Keep& keep) const
{
    const SnapshotRecord& snapshot = m_snapshots[index];
    return snapshot.step == 0 || index + 1 == m_snapshots.size() || snapshot.isPinned ||
           (keep.every > 0 && snapshot.step % keep.every == 0);
}

void Timeline::removeState(SnapshotRecord& snapshot)
{
    const std::uint64_t weights = sizeOf(path(snapshot.step));
    removeFile(m_directory.optimizerPath(snapshot.step));
    snapshot.bytes = weights;
    snapshot.isExact = false;
}

void Timeline::removeWeights(std::size_t index)
{
    removeState(m_snapshots[index]);
    removeFile(path(m_snapshots[index].step));
    m_snapshots.erase(m_snapshots.begin() + static_cast<std::ptrdiff_t>(index));
}

void Timeline::thin(const Keep& keep)
{
    refresh();
    if (bytes() <= keep.budget)
        return;
    const auto lastExact =
        std::find_if(m_snapshots.rbegin(), m_snapshots.rend(),
                     [](const SnapshotRecord& snapshot) { return snapshot.isExact; });
    const std::int64_t newest = lastExact == m_snapshots.rend() ? -1 : lastExact->step;
    while (bytes() > keep.budget) {
        std::vector<std::size_t> exact;
        for (std::size_t i = 0; i < m_snapshots.size(); ++i) {
            if (m_snapshots[i].isExact)
                exact.push_back(i);
        }
        const auto victim = mostCrowded(m_snapshots, exact, [&](std::size_t i) {
            return m_snapshots[i].step != newest && !m_snapshots[i].isPinned;
        });
        if (!victim)
            break;
        removeState(m_snapshots[*victim]);
    }
    while (bytes() > keep.budget) {
        std::vector<std::size_t> all(m_snapshots.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto victim = mostCrowded(m_snapshots, all, [&](std::size_t i) {
            return m_snapshots[i].step != newest && !isProtected(i, keep);
        });
        if (!victim)
            break;
        removeWeights(*victim);
    }
}

bool isSnapshotDue(std::int64_t step, std::int64_t every)
{
    if (step < every)
        return step == 0 || std::has_single_bit(static_cast<std::uint64_t>(step));
    return every > 0 && step % every == 0;
}

} // namespace headscope
