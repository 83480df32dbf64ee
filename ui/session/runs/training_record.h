#pragma once

#include "core/runs/jumps.h"
#include "core/runs/run_library.h"
#include "ui/workers/training/training_runner.h"

#include <QPointF>

#include <map>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Everything known about a run, the data of all its plots. A value.
struct TrainingRecord
{
    std::filesystem::path folder; ///< Folder of the run; empty: no run.
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

    std::filesystem::path snapshotPath(std::int64_t step) const;

    void take(const OpenedTraining& opened);
    void take(const TrainingSnapshot& snapshot);

private:
    void add(const LogLine& line);
    void add(const LivePoint& point);
};

/// Record of a run, read from its directory without opening it for training, even while another
/// process writes it. Data in `known` of the same run are not read again. Throws Error.
TrainingRecord readRecord(const std::filesystem::path& run, const TrainingRecord& known = {});

} // namespace headscope::ui
