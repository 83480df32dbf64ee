#pragma once

#include "core/base/error.h"
#include "core/io/open_model.h"
#include "core/runs/series/series_list.h"

#include <vector>

namespace headscope {

/// A checkpoint of a series that can be opened.
struct SeriesCheckpoint
{
    std::int64_t step = 0;
    std::filesystem::path path;
    std::uint64_t bytes = 0; ///< Size of its weight files.
    bool hasTokenizer = false;
};

/// A checkpoint that cannot be opened, and why.
struct SkippedCheckpoint
{
    std::int64_t step = 0;
    std::filesystem::path path;
    Error error;
};

/// Checkpoints that another program saved of one model in training; only read. A value.
class CheckpointSeries
{
public:
    /// Reads the headers of all checkpoints of a series (see listSeries). Damaged ones are skipped
    /// as long as two are left. Throws FormatError for fewer, and for checkpoints of different
    /// architectures; Cancelled. Progress counts checkpoints.
    static CheckpointSeries open(const std::filesystem::path& path, Progress& progress);

    const std::filesystem::path& path() const { return m_path; } ///< Folder or list.

    /// At least two, by ascending step.
    const std::vector<SeriesCheckpoint>& checkpoints() const { return m_checkpoints; }

    const std::vector<SkippedCheckpoint>& skipped() const { return m_skipped; }

    const ModelConfig& config() const { return m_config; } ///< The same for all.

    std::uint64_t bytes() const; ///< Size of all checkpoints.

    /// The checkpoint of exactly that step, or null.
    const SeriesCheckpoint* at(std::int64_t step) const;

    /// The tokenizer for all checkpoints: that of the newest which has one, or one beside them;
    /// texts are ids without any. Throws FormatError.
    std::shared_ptr<const Tokenizer> loadTokenizer() const;

    /// The weights of exactly that step. Throws FormatError, and Cancelled.
    std::shared_ptr<const Model> load(std::int64_t step, Progress& progress) const;

private:
    std::optional<ModelFacts> factsOf(const SeriesEntry& entry);
    void add(const SeriesEntry& entry, const ModelFacts& facts);

    std::filesystem::path m_path;
    ModelConfig m_config;
    std::vector<SeriesCheckpoint> m_checkpoints;
    std::vector<SkippedCheckpoint> m_skipped;
};

/// The tokenizer of the series that a checkpoint without one belongs to, by the names in its
/// folder; null where there is none.
std::shared_ptr<const Tokenizer> tokenizerOfNeighbours(const std::filesystem::path& checkpoint);

} // namespace headscope
