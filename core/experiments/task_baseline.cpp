#include "core/experiments/task_baseline.h"

#include "core/base/stop.h"
#include "core/train/measures/ngram_baseline.h"

#include <algorithm>
#include <map>

namespace headscope {

namespace {

constexpr int kOrder = 3;

/// Fraction of the held-out targets that are the most frequent one among them.
double mostFrequentFraction(const BatchSource& batches)
{
    std::map<TokenId, std::int64_t> counts;
    std::int64_t all = 0;
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        for (const TokenId target : batches.validationBatch(index).targets) {
            if (target == kIgnoredTarget)
                continue;
            ++counts[target];
            ++all;
        }
    }
    std::int64_t most = 0;
    for (const auto& [target, count] : counts)
        most = std::max(most, count);
    return all == 0 ? 0.0 : static_cast<double>(most) / static_cast<double>(all);
}

const char* accuracyName(TrainingTask task)
{
    if (task == TrainingTask::Repeat)
        return "copy_accuracy";
    const bool isQuestion = task == TrainingTask::Brackets || task == TrainingTask::Order;
    return isQuestion ? "answer_accuracy" : "token_accuracy";
}

} // namespace

TaskBaseline taskBaseline(const TrainingConfig& config, const PreparedData& data,
                          std::stop_token stop)
{
    throwIfStopped(stop);
    if (data.text == nullptr)
        return {"always the most frequent answer", accuracyName(config.data.task),
                mostFrequentFraction(*data.batches)};
    const NgramBaseline words(data.text->trainingTokens(), kOrder, data.model.vocabularySize);
    throwIfStopped(stop);
    return {"Kneser-Ney trigram", "validation_loss", words.validationLoss(*data.batches)};
}

} // namespace headscope
