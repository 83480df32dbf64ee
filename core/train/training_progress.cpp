#include "core/train/training_progress.h"

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headscope {

const std::vector<std::string>& lossPartNames()
{
    static const std::vector<std::string> names = {"mlm", "nsp", "balance"};
    return names;
}

std::vector<std::pair<std::string, double>> lossParts(const LossParts& parts)
{
    std::vector<std::pair<std::string, double>> named;
    if (parts.nextSentence)
        named = {{"mlm", parts.token}, {"nsp", *parts.nextSentence}};
    if (parts.balance)
        named.emplace_back("balance", *parts.balance);
    return named;
}

std::string toJsonLine(const TrainingProgress& progress)
{
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    const LossParts& parts = progress.report.parts;
    nlohmann::ordered_json line;
    line["step"] = progress.report.step;
    line["loss"] = progress.report.loss;
    line["val_loss"] = orNull(progress.validationLoss);
    line["lr"] = progress.report.learningRate;
    line["grad_norm"] = progress.report.gradientNorm;
    line["tokens_per_s"] = progress.tokensPerSecond;
    const auto perplexityOf = [&](const std::optional<double>& loss) {
        return orNull(loss ? std::optional(perplexity(*loss)) : std::nullopt);
    };
    line["perplexity"] =
        perplexityOf(progress.isSmoothed ? std::nullopt : std::optional(parts.token));
    line["val_perplexity"] = perplexityOf(progress.validationLoss);
    for (const auto& [name, value] : lossParts(parts))
        line[name] = value;
    if (progress.validationAccuracy)
        line["val_accuracy"] = *progress.validationAccuracy;
    for (const GradientNorm& part : progress.layerNorms)
        line["layer_grad_norms"][part.layer] = part.norm;
    return line.dump();
}

std::optional<double> validationLoss(Trainer& trainer, const BatchSource& batches)
{
    const std::optional<Validation> result = validate(trainer, batches);
    return result ? std::optional(result->loss) : std::nullopt;
}

std::optional<Validation> validate(Trainer& trainer, const BatchSource& batches)
{
    double total = 0.0;
    std::int64_t targets = 0;
    std::int64_t right = 0;
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        const Batch batch = batches.validationBatch(index);
        const std::int64_t kept = keptTargets(batch.targets);
        if (kept == 0)
            continue;
        const TargetCounts counts = trainer.measure(batch);
        total += counts.loss * static_cast<double>(kept);
        targets += kept;
        right += counts.right;
    }
    if (targets == 0)
        return std::nullopt;
    const auto count = static_cast<double>(targets);
    return Validation{total / count, static_cast<double>(right) / count};
}

} // namespace headscope
