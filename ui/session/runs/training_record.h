#pragma once

#include "core/runs/jumps.h"
#include "core/runs/run_library.h"
#include "ui/workers/training/training_runner.h"

#include <QPointF>

#include <map>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Everything that is known of a run: what pictures of it are drawn from. A value.
struct TrainingRecord
{
    std::filesystem::path folder; ///< empty: there is no run
    TrainingConfig config;
    ModelConfig model;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::string device;
    LiveSettings settings;
    std::int64_t step = 0;
    std::int64_t steps = 0;

    // By step. What was not finite is there as such.
    std::vector<QPointF> loss;
    std::vector<QPointF> validation;
    std::vector<QPointF> accuracy;
    std::vector<QPointF> learningRate;
    std::vector<QPointF> gradientNorm;
    std::map<std::string, std::vector<QPointF>> layerNorms;
    double tokensPerSecond = 0.0; ///< 0: not known
    double secondsLeft = 0.0;

    HeadCurves heads;
    std::vector<Jump> jumps; ///< in the scores of heads
    std::vector<RunEvent> events;
    std::vector<Moment> moments;
    std::uint64_t timelineBytes = 0;

    bool isEmpty() const { return folder.empty(); }

    /// The moment at exactly `step`; -1 where there is none.
    int momentOf(std::int64_t step) const;

    std::filesystem::path snapshotPath(std::int64_t step) const;

    void take(const OpenedTraining& opened);
    void take(const TrainingSnapshot& snapshot);

private:
    void add(const LogLine& line);
    void add(const LivePoint& point);
};

/// A run as its directory tells, without opening it for training: also while another process writes
/// it. What `known` has of the same run is not read again. Throws Error.
TrainingRecord readRecord(const std::filesystem::path& run, const TrainingRecord& known = {});

} // namespace headscope::ui
