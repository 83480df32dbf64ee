#pragma once

#include "core/lessons/labs/lab.h"
#include "core/train/data/recall_task.h"
#include "core/train/trainer.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// A model that learns to recall, and what the recurrence lab measures of it: the same questions
/// for a recurrent network and for a transformer.
class RecallLearner
{
public:
    /// Common to all learners of one comparison.
    struct Settings
    {
        std::int64_t vocabularySize = 0;
        std::int64_t longestText = 0;
        std::int64_t width = 32;     ///< Of the transformer.
        std::int64_t parameters = 0; ///< Of a recurrent learner: nearest to this.
        std::int64_t steps = 0;
        std::uint64_t seed = 0;
    };

    virtual ~RecallLearner() = default;

    virtual std::string name() const = 0; ///< Id in the names of numbers: "lstm".
    virtual std::string title() const = 0;
    virtual std::int64_t parameters() const = 0;

    virtual StepReport step(const Batch& batch) = 0;
    virtual TargetCounts measure(const Batch& batch) = 0;

    /// Norm of the gradient of the loss in the embedded token 0, 1, ... positions before the end,
    /// mean over the rows. Only the last position of a row may have a target.
    virtual std::vector<double> gradientByDistance(const Batch& batch) = 0;

    /// One forward pass over all tokens.
    virtual void readAtOnce(std::span<const TokenId> ids) = 0;
    /// A forward pass per token, as in generation; returns the bytes that it carries along at the
    /// end.
    virtual std::size_t readOneByOne(std::span<const TokenId> ids) = 0;

    /// Number of steps over which the first of so many tokens reaches the last position.
    virtual std::int64_t pathLength(std::int64_t tokens) = 0;

    /// Multiplications with which one layer brings information from position to position: of a
    /// recurrent layer those of the state, of attention Q Kᵀ and A V. `width` replaces the model's.
    virtual double mixing(std::int64_t tokens, std::int64_t width) const = 0;
    virtual std::int64_t width() const = 0;
};

/// The same for all learners.
OptimizerSettings recallOptimizer();
ScheduleSettings recallSchedule(std::int64_t steps);

using RecallLearners = std::vector<std::unique_ptr<RecallLearner>>;

/// RNN, LSTM and transformer with as many layers and nearly as many parameters each.
RecallLearners makeRecallLearners(RecallLearner::Settings settings, const LabContext& context);

} // namespace headscope
