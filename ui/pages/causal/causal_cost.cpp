#include "ui/pages/causal/causal_cost.h"

#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

double passesOf(const ModelConfig& config, double tokens, CausalSection section)
{
    const auto layers = static_cast<double>(config.layers);
    const auto heads = static_cast<double>(config.heads);
    switch (section) {
    case CausalSection::Heads:
        return layers * heads;
    case CausalSection::Patch:
        return layers * std::max(tokens, heads);
    case CausalSection::Path:
        return layers * (3 * tokens + heads);
    }
    return 0.0;
}

} // namespace

std::optional<CausalCost> costOf(const ViewSnapshot& view, CausalSection section)
{
    if (!view.a || !view.modelA.model)
        return std::nullopt;
    const auto tokens = static_cast<double>(view.a->tokens().size());
    const double passes = passesOf(view.modelA.model->config(), tokens, section);
    const TraceInfo& info = view.a->info();
    const double perToken = info.forwardMs / std::max(1.0, static_cast<double>(info.newTokens));
    return CausalCost{passes, passes * perToken * tokens * 1e-3};
}

QString costText(const CausalCost& cost)
{
    const QString passes = count(std::llround(cost.passes));
    if (cost.seconds < 0.1)
        return tr("%1 forward passes, less than 0.1 s").arg(passes);
    return tr("%1 forward passes, about %2 s")
        .arg(passes, number(cost.seconds, cost.seconds < 10.0 ? 1 : 0));
}

} // namespace headscope::ui
