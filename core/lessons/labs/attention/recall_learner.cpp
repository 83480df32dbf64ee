#include "core/lessons/labs/attention/recall_learner.h"

#include "core/lessons/labs/attention/recurrent_learner.h"
#include "core/lessons/labs/attention/transformer_learner.h"

#include <algorithm>

namespace headscope {

OptimizerSettings recallOptimizer()
{
    OptimizerSettings settings;
    settings.learningRate = 3e-3;
    settings.beta2 = 0.99;
    settings.weightDecay = 0.0;
    return settings;
}

ScheduleSettings recallSchedule(std::int64_t steps)
{
    ScheduleSettings settings;
    settings.kind = ScheduleSettings::Kind::WarmupCosine;
    settings.warmupSteps = std::min<std::int64_t>(20, steps / 2);
    settings.totalSteps = steps;
    return settings;
}

RecallLearners makeRecallLearners(RecallLearner::Settings settings, const LabContext& context)
{
    RecallLearners learners;
    settings.parameters = parameterCount(TransformerLearner::configFor(settings));
    learners.push_back(std::make_unique<RecurrentLearner>(RecurrentKind::Elman, settings));
    learners.push_back(std::make_unique<RecurrentLearner>(RecurrentKind::Lstm, settings));
    learners.push_back(std::make_unique<TransformerLearner>(settings, context));
    return learners;
}

} // namespace headscope
