#pragma once

#include "core/lessons/labs/attention/recall_learner.h"
#include "core/train/recurrent_trainer.h"

namespace headscope {

class RecurrentLearner final : public RecallLearner
{
public:
    RecurrentLearner(RecurrentKind kind, const Settings& settings);

    std::string name() const override;
    std::string title() const override;
    std::int64_t parameters() const override;
    StepReport step(const Batch& batch) override;
    TargetCounts measure(const Batch& batch) override;
    std::vector<double> gradientByDistance(const Batch& batch) override;
    void readAtOnce(std::span<const TokenId> ids) override;
    std::size_t readOneByOne(std::span<const TokenId> ids) override;
    std::int64_t pathLength(std::int64_t tokens) override;
    double mixing(std::int64_t tokens, std::int64_t width) const override;
    std::int64_t width() const override;

private:
    RecurrentTrainer m_trainer;
    RecurrentPass m_pass;
};

/// Number of steps over which the gradient of the last of so many positions reaches the first
/// token: backpropagation through time is truncated one transition later each time until it
/// arrives. Counts the transitions between the states, and the step from the token into its state.
std::int64_t recurrentPathLength(RecurrentKind kind, std::int64_t tokens);

} // namespace headscope
