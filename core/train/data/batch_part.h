#pragma once

#include "core/model/config/model_config.h"
#include "core/train/training_pass.h"

#include <span>

namespace headscope {

/// Data that another process needs to compute its rows of a batch.
struct SharedPass
{
    const ModelConfig& config;
    const Batch& batch;
    std::span<const float> parameters;
    LossSettings loss = {};
    std::int64_t accumulate = 1;
    std::uint64_t seed = 0;
    std::int64_t step = 0; ///< Number of updates done before.
    bool withGradients = true;
};

/// Processes that share every batch by rows (data-parallel training; Li et al. 2020, section 3).
/// Each computes its rows with the scales of the whole batch, so that the sums over the processes
/// equal those of a single process.
class BatchPart
{
public:
    virtual ~BatchPart() = default;

    virtual std::int64_t part() const = 0; ///< Index of this process.
    virtual std::int64_t parts() const = 0;

    /// Called before this process's rows are computed: sends the others their work.
    virtual void begin(const SharedPass& pass) = 0;

    /// Called after the rows are computed: adds the sums of all processes to those of part 0.
    /// `gradients` is empty for a pass without a backward pass.
    virtual void sum(std::span<float> gradients, PassLosses& losses) = 0;
};

} // namespace headscope
