#pragma once

#include "core/model/recurrent/recurrent_pass.h"
#include "core/train/optimizer.h"

#include <memory>
#include <vector>

namespace headscope {

/// Trains a recurrent model with the optimizer and the batches of the transformer's Trainer, one
/// step at a time. The rows of a batch are split over parallelFor's workers and gradients summed in
/// a fixed order: the same seed and worker count give the same numbers.
class RecurrentTrainer
{
public:
    struct Settings
    {
        OptimizerSettings optimizer;
        ScheduleSettings schedule;
    };

    RecurrentTrainer(RecurrentModel model, Settings settings);

    /// Throws ShapeError for a batch with a source, a mask or padding, which mean nothing to this
    /// model.
    StepReport step(const Batch& batch);

    /// Mean loss of the targets, and the number predicted as top-1.
    TargetCounts measure(const Batch& batch);

    /// Mean loss and its gradient for every parameter (recurrentLayout). No update.
    double lossAndGradients(const Batch& batch, std::span<float> gradients);

    const RecurrentModel& model() const { return m_model; }

private:
    struct Worker
    {
        RecurrentPass pass;
        Tensor gradients;
        double loss = 0.0;
        std::int64_t right = 0;
    };

    template<class Body>
    void split(const Batch& batch, const Body& body);
    double backward(const Batch& batch);

    RecurrentModel m_model;
    Settings m_settings;
    Optimizer m_optimizer;
    Tensor m_firstMoment;
    Tensor m_secondMoment;
    std::int64_t m_step = 0;
    std::vector<Worker> m_workers;
    double m_norm = 0.0;
};

/// Rows [first, first + rows) of a batch's inputs or targets, position by position.
std::vector<TokenId> positionByPosition(const std::vector<TokenId>& tokens, std::int64_t length,
                                        std::int64_t first, std::int64_t rows);

} // namespace headscope
