#pragma once

#include "core/runs/jumps.h"
#include "core/runs/run_library.h"
#include "core/runs/series/checkpoint_series.h"
#include "ui/workers/training/training_runner.h"

#include <QPointF>

#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::ui {

/// Where the snapshots of a run are. A value; any thread may load from its own.
struct SnapshotSource
{
    std::filesystem::path folder;
    std::shared_ptr<const CheckpointSeries> series; ///< Null for a run of ours.

    std::filesystem::path path(std::int64_t step) const;

    /// The weights of a snapshot. Throws Error, and Cancelled.
    std::shared_ptr<const Model> load(std::int64_t step, std::stop_token stop = {}) const;
};

/// Everything known about a run, the data of all its plots. A value.
struct TrainingRecord
{
    /// Folder of the run, folder or list of a series of checkpoints; empty: no run.
    std::filesystem::path folder;
    /// Checkpoints of another program, which cannot be trained; null for a run of ours.
    std::shared_ptr<const CheckpointSeries> series;
    TrainingConfig config;
    ModelConfig model;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::string device;
    LiveSettings settings;
    std::int64_t step = 0;
    std::int64_t steps = 0;

    // Values by step, including infinity and NaN.
    std::vector<QPointF> loss;
    std::vector<QPointF> validation;
    std::vector<QPointF> accuracy;
    std::vector<QPointF> learningRate;
    std::vector<QPointF> gradientNorm;
    std::map<std::string, std::vector<QPointF>> layerNorms;
    /// Terms of a loss that has several, by key: "mlm", "nsp", "balance".
    std::map<std::string, std::vector<QPointF>> lossParts;
    double tokensPerSecond = 0.0; ///< Training speed; 0: not known.
    double secondsLeft = 0.0;

    HeadCurves heads;
    std::vector<Jump> jumps; ///< Jumps in the scores of heads.
    std::vector<RunEvent> events;
    std::vector<SnapshotRecord> snapshots;
    std::uint64_t timelineBytes = 0;

    bool isEmpty() const { return folder.empty(); }

    /// Index of the snapshot at exactly `step`; -1 where there is none.
    int snapshotOf(std::int64_t step) const;

    /// Step of the snapshot whose weights are at `path`; none for another file.
    std::optional<std::int64_t> snapshotAt(const std::filesystem::path& path) const;

    bool isSeries() const { return series != nullptr; }

    SnapshotSource source() const { return {folder, series}; }

    std::filesystem::path snapshotPath(std::int64_t step) const { return source().path(step); }

    void take(const OpenedTraining& opened);
    void take(const TrainingSnapshot& snapshot);

private:
    void add(const LogLine& line);
    void add(const LivePoint& point);
};

/// Record of a run, read from its directory without opening it for training, even while another
/// process writes it, or of a series of checkpoints. Data in `known` of the same run are not read
/// again. Throws Error.
TrainingRecord readRecord(const std::filesystem::path& run, const TrainingRecord& known = {});

} // namespace headscope::ui
