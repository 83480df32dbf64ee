#include "ui/pages/what_if/change_preview.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "ui/pages/shared/changes/change_effect.h"
#include "ui/pages/shared/changes/second_run.h"
#include "ui/session/changes/change_interventions.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

namespace {

/// Trace of B with only what a preview reads.
TracePtr traceOf(const ViewSnapshot& view, const Changes& changes, const std::stop_token& stop)
{
    const TraceKey pattern = patternKey(view.selection.part, view.selection.layer);
    TraceRequest request = TraceRequest::forWindow();
    request.sites = {toString(pattern), toString(TraceKey{Site::Logits, 0})};
    const Interventions interventions =
        interventionsOf(changes, secondRunContext(*view.a, *view.a, view.modelB));
    Tracer tracer(view.modelB, std::make_unique<CpuAttention>());
    if (view.modelB.model->config().isEncoderDecoder())
        return tracer.trace(SourceAndTarget{view.a->sourceTokens(), view.a->tokens()}, request,
                            interventions, stop);
    return tracer.trace(view.a->tokens(), request, interventions, stop);
}

} // namespace

ChangePreview previewOf(const ViewSnapshot& view, const Changes& changes,
                        const std::stop_token& stop)
{
    ChangePreview preview;
    try {
        ViewSnapshot changed = view;
        changed.b = traceOf(view, changes, stop);
        const HeadId head = view.selection.headId();
        const TraceKey key = patternKey(head.attention, head.layer);
        const HeatmapMatrix pattern = patternOf(*changed.b, head);
        preview.thumbnail = std::make_shared<const HeadThumbnail>(
            makeThumbnail(pattern, maskOf(*changed.b, head), false, HeadThumbnail::kSide,
                          sinkOf(SinkWeights(*changed.b), head, pattern)));
        const auto before = view.a->findHead(key, head.head);
        const auto after = changed.b->findHead(key, head.head);
        if (before && after && before->shape() == after->shape())
            preview.moved = movedWeight(before->view(), after->view());
        preview.next = nextTokenChange(changed);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        preview.problem = errorSentence(error).toStdString();
    }
    return preview;
}

} // namespace headscope::ui
