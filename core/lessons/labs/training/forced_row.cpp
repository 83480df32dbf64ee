#include "core/lessons/labs/training/forced_row.h"

#include "core/base/content_language.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

std::vector<float> lossesOf(TensorView logits, const OverriddenRow& row, double smoothing)
{
    std::vector<float> losses(row.targets.size(), 0.0F);
    CrossEntropySettings settings;
    settings.smoothing = static_cast<float>(smoothing);
    crossEntropy(logits, row.targets, settings, {}, losses);
    return losses;
}

double meanLoss(const std::vector<float>& losses, const OverriddenRow& row)
{
    const std::int64_t count = keptTargets(row.targets);
    if (count == 0)
        throw Error("there is no target, so there is no loss", "Text", "Type a longer text");
    double sum = 0.0;
    for (const float loss : losses)
        sum += static_cast<double>(loss);
    return sum / static_cast<double>(count);
}

LabTable lossTable(const OverriddenRow& row, const std::vector<float>& losses)
{
    LabTable table{{"Input", "Target", "Probability", "Loss"}};
    for (std::size_t i = 0; i < row.targets.size(); ++i) {
        const bool counts = row.targets[i] != kIgnoreIndex;
        const auto loss = static_cast<double>(losses[i]);
        table.rows.push_back({row.labels[i], row.wanted[i],
                              counts ? fmt::format("{:.4f}", std::exp(-loss)) : message("not used"),
                              counts ? fmt::format("{:.3f}", loss) : message("ignored (−100)")});
    }
    return table;
}

LabBars lossBars(const OverriddenRow& row, const std::vector<float>& losses)
{
    LabBars bars{"nats"};
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (row.targets[i] != kIgnoreIndex)
            bars.bars.push_back({row.wanted[i], static_cast<double>(losses[i])});
    }
    return bars;
}

} // namespace headscope
