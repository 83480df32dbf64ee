#pragma once

#include "core/lessons/labs/attention/recall_learner.h"

namespace headscope {

class TransformerLearner final : public RecallLearner
{
public:
    TransformerLearner(const Settings& settings, const LabContext& context);

    /// Two narrow layers with learned positions.
    static ModelConfig configFor(const Settings& settings);

    std::string name() const override { return "transformer"; }

    std::string title() const override { return "Transformer"; }

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
    const Model& model();

    Trainer m_trainer;
    std::unique_ptr<AttentionBackend> m_backend;
    std::shared_ptr<const Model> m_model; ///< Of m_modelStep; null before it is needed.
    std::int64_t m_modelStep = 0;
};

} // namespace headscope
