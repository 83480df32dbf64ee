#include "core/runs/series/checkpoint_series.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "core/runs/run_library.h"
#include "core/runs/series/checkpoint_step.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/tokenizers/id_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// A tokenizer in the folder of the series itself.
bool hasCommonTokenizer(const fs::path& series)
{
    std::error_code error;
    return fs::is_directory(series, error) && hasTokenizer(series);
}

} // namespace

CheckpointSeries CheckpointSeries::open(const fs::path& path, Progress& progress)
{
    const std::vector<SeriesEntry> entries = listSeries(path);
    CheckpointSeries series;
    series.m_path = path;
    progress.expect(entries.size());
    for (const SeriesEntry& entry : entries) {
        if (const auto facts = series.factsOf(entry))
            series.add(entry, *facts);
        progress.add(1);
    }
    if (series.m_checkpoints.size() < 2) {
        const SkippedCheckpoint& first = series.m_skipped.front();
        throw FormatError(fmt::format("{} of {} checkpoints can be opened. Step {}: {}",
                                      series.m_checkpoints.size(), entries.size(), first.step,
                                      first.error.problem()),
                          path.string(), std::nullopt, first.error.advice());
    }
    return series;
}

/// None for a checkpoint that cannot be opened, which is noted.
std::optional<ModelFacts> CheckpointSeries::factsOf(const SeriesEntry& entry)
{
    try {
        return readModelFacts(entry.path);
    } catch (const Error& error) {
        m_skipped.push_back({entry.step, entry.path, error});
        return std::nullopt;
    }
}

/// Throws FormatError with the first setting in which the model differs from that of the others.
void CheckpointSeries::add(const SeriesEntry& entry, const ModelFacts& facts)
{
    if (m_checkpoints.empty())
        m_config = facts.config;
    if (facts.config != m_config) {
        const auto differences = compareConfigs(toJson(m_config), toJson(facts.config));
        if (differences.empty())
            throw FormatError("the checkpoints are of different models", entry.path.string());
        const ConfigDifference& first = differences.front();
        throw FormatError(
            fmt::format(
                "the checkpoints of steps {} and {} are of different models: {} is {} and {}",
                m_checkpoints.front().step, entry.step, first.key, inQuotes(first.first),
                inQuotes(first.second)),
            entry.path.string(), std::nullopt,
            "Keep the checkpoints of each model in a folder of their own");
    }
    m_checkpoints.push_back({entry.step, entry.path, facts.bytes, facts.hasTokenizer});
}

std::uint64_t CheckpointSeries::bytes() const
{
    return std::accumulate(
        m_checkpoints.begin(), m_checkpoints.end(), std::uint64_t{0},
        [](std::uint64_t sum, const SeriesCheckpoint& one) { return sum + one.bytes; });
}

const SeriesCheckpoint* CheckpointSeries::at(std::int64_t step) const
{
    const auto found = std::ranges::lower_bound(m_checkpoints, step, {}, &SeriesCheckpoint::step);
    return found != m_checkpoints.end() && found->step == step ? &*found : nullptr;
}

std::shared_ptr<const Tokenizer> CheckpointSeries::loadTokenizer() const
{
    for (auto one = m_checkpoints.rbegin(); one != m_checkpoints.rend(); ++one) {
        if (one->hasTokenizer)
            return loadModelTokenizer(one->path);
    }
    if (hasCommonTokenizer(m_path))
        return headscope::loadTokenizer(m_path);
    return std::make_shared<const IdTokenizer>(static_cast<std::size_t>(m_config.vocabularySize));
}

std::shared_ptr<const Model> CheckpointSeries::load(std::int64_t step, Progress& progress) const
{
    const SeriesCheckpoint* const checkpoint = at(step);
    if (checkpoint == nullptr)
        throw FormatError(fmt::format("there is no checkpoint of step {}", step), m_path.string());
    std::shared_ptr<const Model> model = openModelAt(checkpoint->path, progress).model.model;
    if (model->config() != m_config)
        throw FormatError("the checkpoint has changed since the series was opened",
                          checkpoint->path.string(), std::nullopt, "Open the series again");
    return model;
}

std::shared_ptr<const Tokenizer> tokenizerOfNeighbours(const fs::path& checkpoint)
{
    const fs::path folder = fs::absolute(checkpoint).lexically_normal().parent_path();
    if (!stepInName(checkpoint.filename().string()) || !isSeries(folder))
        return nullptr;
    const std::vector<SeriesEntry> entries = listSeries(folder);
    for (auto one = entries.rbegin(); one != entries.rend(); ++one) {
        try {
            if (auto tokenizer = loadModelTokenizer(one->path))
                return tokenizer;
        } catch (const Error&) {
            continue; // another one may be whole
        }
    }
    return hasCommonTokenizer(folder) ? loadTokenizer(folder) : nullptr;
}

} // namespace headscope
