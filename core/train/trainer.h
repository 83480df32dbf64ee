#pragma once

#include "core/model/model.h"
#include "core/train/batch.h"

#include <functional>
#include <memory>
#include <optional>

namespace headscope {

struct OptimizerSettings ///< AdamW (Loshchilov, Hutter 2019)
{
    double learningRate = 3e-4;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    bool decayMatricesOnly = true;         ///< decay only parameters with two axes
    std::optional<double> clipNorm = 1.0;  ///< global norm
};

struct ScheduleSettings
{
    enum class Kind { Constant, WarmupCosine };
    Kind kind = Kind::Constant;
    std::int64_t warmupSteps = 0;
    std::int64_t totalSteps = 0;

    /// Rate of update `step`, counted from 0 (0 at the first step of a warm-up), cosine to zero.
    double rate(double peak, std::int64_t step) const;
};

struct StepReport
{
    std::int64_t step = 0; ///< updates done, this one included
    double loss = 0.0;     ///< nats a token, of this step's batch before the update
    double learningRate = 0.0;
    double gradientNorm = 0.0; ///< before clipping
    std::int64_t tokens = 0;
    double seconds = 0.0;
};

/// Parameters, both Adam moments and the step: all that a run needs to go on bit for bit.
struct TrainingState
{
    std::int64_t step = 0;
    ParameterSet parameters;
    ParameterSet firstMoment;
    ParameterSet secondMoment;
};

/// Trains a decoder one step at a time. Starts no thread of its own; the batch is split over
/// parallelFor's workers, and gradients are summed in a fixed order, so the same seed, backend and
/// worker count give the same numbers. Memory is taken at the first step of a size, then never again.
class Trainer
{
public:
    struct Settings
    {
        OptimizerSettings optimizer;
        ScheduleSettings schedule;
        std::uint64_t seed = 0;
        std::function<std::unique_ptr<AttentionBackend>()> makeBackend; ///< one per worker
    };

    Trainer(const ModelConfig& config, TrainingState state, Settings settings);
    ~Trainer();

    /// Throws ShapeError for a batch that does not fit, and Error when loss or gradients are not
    /// finite; the state is then that of the step before.
    StepReport step(const Batch& batch);

    /// Mean loss without update and without dropout.
    double evaluate(const Batch& batch);

    const TrainingState& state() const;
    const ModelConfig& config() const;

    /// A copy of the parameters as a model: a snapshot that any thread may trace.
    std::shared_ptr<const Model> snapshot() const;

    /// Loss and gradient of every parameter, with the dropout of the next step. No update.
    double lossAndGradients(const Batch& batch, ParameterSet& gradients);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
