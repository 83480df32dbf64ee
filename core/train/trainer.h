#pragma once

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/model/model.h"
#include "core/train/data/batch.h"
#include "core/train/files/training_settings.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace headscope {

class BatchPart;

/// Parameters, both Adam moments and the step: everything needed to resume a training run bit for
/// bit.
struct TrainingState
{
    std::int64_t step = 0;
    ParameterSet parameters;
    ParameterSet firstMoment;
    ParameterSet secondMoment;
};

/// State of an untrained model.
TrainingState initialState(const ModelConfig& config, std::uint64_t seed);

/// Thrown for loss or gradients that are not finite, or a loss above
/// Trainer::Settings::largestLoss.
class TrainingDiverged : public Error
{
public:
    TrainingDiverged(const std::string& what, const std::string& where, const std::string& advice,
                     std::string layer)
        : Error(what, where, advice)
        , m_layer(std::move(layer))
    {
    }

    /// Name of the first tensor that is not finite, see firstNonFinite; empty if all are finite.
    const std::string& layer() const { return m_layer; }

private:
    std::string m_layer;
};

/// Accuracy on the held-out targets of a batch.
struct TargetCounts
{
    double loss = 0.0; ///< Mean over the token targets, nats.
    std::int64_t targets = 0;
    std::int64_t right = 0; ///< Number of targets predicted as top-1.
};

/// Trains a model one step at a time. Starts no threads; the batch is split over parallelFor's
/// workers, and gradients are summed in a fixed order, so the same seed, backend and worker count
/// give the same numbers. With BatchNorm a batch (each of its accumulated parts) stays whole, and a
/// step moves the running statistics. Memory is allocated at the first step of a size, then reused.
class Trainer
{
public:
    struct Settings
    {
        OptimizerSettings optimizer;
        ScheduleSettings schedule;
        LossSettings loss;
        /// Number of parts in which a batch is processed (gradient accumulation).
        std::int64_t accumulate = 1;
        std::uint64_t seed = 0;
        /// A larger loss counts as diverged.
        double largestLoss = std::numeric_limits<double>::infinity();
        /// Makes one backend per worker.
        std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
        /// Returns free memory in bytes.
        std::function<std::uint64_t()> freeMemory = availableMemory;
        std::shared_ptr<BatchPart> batchPart = {}; ///< Null: this process computes all rows.
    };

    /// Throws ShapeError for a state that does not fit, and Error when memory is short or processes
    /// would share the batches of a model with BatchNorm.
    Trainer(const ModelConfig& config, TrainingState state, Settings settings);
    ~Trainer();

    /// Throws ShapeError for a batch that does not fit, Error when memory for its activations is
    /// short, and TrainingDiverged; the state is then that of the step before.
    StepReport step(const Batch& batch);

    /// Mean loss of the token targets without update, dropout or label smoothing.
    double evaluate(const Batch& batch);

    /// The same loss, and the number of targets predicted as top-1.
    TargetCounts measure(const Batch& batch);

    /// Gradient norms of the last step, before clipping, by layer in the order of the parameters:
    /// their squares sum to that of StepReport::gradientNorm.
    std::vector<GradientNorm> gradientNorms() const;

    /// Sets the peak of the schedule, from the next step on.
    void setLearningRate(double peak);

    const TrainingState& state() const;
    const ModelConfig& config() const;

    /// Moves the state out, for another trainer; this one must not be used afterwards.
    TrainingState takeState();

    /// A copy of the parameters as a model: a snapshot that any thread may trace.
    std::shared_ptr<const Model> snapshot() const;

    /// Loss and gradient of every parameter, with the dropout of the next step. No update.
    double lossAndGradients(const Batch& batch, ParameterSet& gradients);

    /// Computes the gradients without returning them.
    void computeGradients(const Batch& batch);

    /// Sets the parameters of another process's trainer, after `step` updates. Throws ShapeError
    /// for a different number of them.
    void setParameters(std::span<const float> values, std::int64_t step);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
