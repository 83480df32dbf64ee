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

class BatchShare;

/// Parameters, both Adam moments and the step: all that a run needs to go on bit for bit.
struct TrainingState
{
    std::int64_t step = 0;
    ParameterSet parameters;
    ParameterSet firstMoment;
    ParameterSet secondMoment;
};

/// Loss or gradients that are not finite, or a loss above Trainer::Settings::largestLoss.
class TrainingDiverged : public Error
{
public:
    TrainingDiverged(const std::string& what, const std::string& where, const std::string& advice,
                     std::string layer)
        : Error(what, where, advice)
        , m_layer(std::move(layer))
    {
    }

    /// What is not finite, see firstNonFinite; empty when all is.
    const std::string& layer() const { return m_layer; }

private:
    std::string m_layer;
};

/// How well the held-out targets of a batch are foretold.
struct TargetCounts
{
    double loss = 0.0; ///< mean of the token targets, nats
    std::int64_t targets = 0;
    std::int64_t right = 0; ///< targets that have the highest score
};

/// Trains a decoder one step at a time. Starts no thread of its own; the batch is split over
/// parallelFor's workers, and gradients are summed in a fixed order, so the same seed, backend and
/// worker count give the same numbers. Memory is taken at the first step of a size, then never
/// again.
class Trainer
{
public:
    struct Settings
    {
        OptimizerSettings optimizer;
        ScheduleSettings schedule;
        LossSettings loss;
        std::int64_t accumulate = 1; ///< parts that a batch is taken in, one after the other
        std::uint64_t seed = 0;
        double largestLoss = std::numeric_limits<double>::infinity();   ///< beyond: diverged
        std::function<std::unique_ptr<AttentionBackend>()> makeBackend; ///< one per worker
        std::function<std::uint64_t()> freeMemory = availableMemory;    ///< bytes
        std::shared_ptr<BatchShare> share = {};                         ///< null: all rows are ours
    };

    /// Throws ShapeError for a state that does not fit, and Error when memory is short.
    Trainer(const ModelConfig& config, TrainingState state, Settings settings);
    ~Trainer();

    /// Throws ShapeError for a batch that does not fit, and Error when memory for its activations
    /// is short, TrainingDiverged; the state is then that of the step before.
    StepReport step(const Batch& batch);

    /// Mean loss of the token targets without update, dropout or label smoothing.
    double evaluate(const Batch& batch);

    /// The same loss, and how many targets have the highest score.
    TargetCounts measure(const Batch& batch);

    /// Of the gradient of the last step, before clipping, by layer in the order of the parameters:
    /// the squares add up to that of StepReport::gradientNorm.
    std::vector<GradientNorm> gradientNorms() const;

    /// The peak of the schedule, from the next step on.
    void setLearningRate(double peak);

    const TrainingState& state() const;
    const ModelConfig& config() const;

    /// The state, for another trainer; this one is of no use afterwards.
    TrainingState takeState();

    /// A copy of the parameters as a model: a snapshot that any thread may trace.
    std::shared_ptr<const Model> snapshot() const;

    /// Loss and gradient of every parameter, with the dropout of the next step. No update.
    double lossAndGradients(const Batch& batch, ParameterSet& gradients);

    /// The same, which stays within.
    void computeGradients(const Batch& batch);

    /// The parameters of another process's trainer, after `step` updates. Throws ShapeError for
    /// another number of them.
    void setParameters(std::span<const float> values, std::int64_t step);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
