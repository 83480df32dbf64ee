#include "ui/pages/shared/maps/gradient_run.h"

#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"
#include "core/text/text_pair.h"
#include "ui/pages/shared/changes/second_run.h"
#include "ui/session/changes/change_interventions.h"
#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

AttributionRun GradientInputs::run(AttentionBackend& backend, GradientTarget target) const
{
    AttributionRun pass{*model, backend, {ids, source, segments}, std::move(target)};
    pass.interventions = &interventions;
    return pass;
}

GradientInputs gradientInputs(const ViewSnapshot& view, Variant variant)
{
    const LoadedModel& loaded = view.model(variant);
    const TracePtr& trace = view.trace(variant);
    if (!loaded.model || !trace)
        throw Error("gradients need the model's weights, and a trace has none", "gradients");
    GradientInputs inputs;
    inputs.model = loaded.model;
    inputs.ids = trace->tokens().ids();
    inputs.source = trace->sourceTokens().ids();
    if (loaded.model->config().tokenTypes > 1)
        inputs.segments = segmentsOf(trace->tokens());
    if (variant == Variant::A || !view.a)
        return inputs;
    const SecondRunContext context = secondRunContext(*view.a, *trace, loaded);
    inputs.interventions = interventionsOf(view.changes, context);
    return inputs;
}

QString whyNoGradient(const ViewSnapshot& view, Variant variant)
{
    const auto& model = view.model(variant).model;
    if (!model)
        return tr("Not defined for a captured trace: gradients need the model's weights.");
    if (!model->config().languageHead)
        return tr("Not defined for this model: it predicts no tokens, so there is no logit for "
                  "a gradient.");
    const TracePtr& trace = view.trace(variant);
    if (trace && !mostLikelyNext(*trace, -1))
        return tr("The trace has no logits that can be compared.");
    return {};
}

std::optional<TokenId> mostLikelyNext(const Trace& trace, std::int64_t position)
{
    const std::vector<Candidate> best = nextTokens(trace, position, 1, nullptr);
    return best.empty() ? std::nullopt : std::optional(best.front().id);
}

} // namespace headscope::ui
