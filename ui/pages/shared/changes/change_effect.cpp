#include "ui/pages/shared/changes/change_effect.h"

#include "ui/pages/shared/maps/shown_pattern.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Corresponding positions of two texts: the selected query where both have it.
std::int64_t lastPosition(const Trace& trace)
{
    return static_cast<std::int64_t>(trace.tokens().size()) - 1;
}

/// If the query is a source token of an encoder, the prediction is at the last token.
bool predictsAtQuery(AttentionKind part)
{
    return part != AttentionKind::EncoderSelf;
}

HeatmapMatrix movedOf(const ViewSnapshot& view)
{
    if (!view.isComparable())
        return {};
    const AttentionKind part = view.selection.part;
    const int layers = view.a->layerCount(part);
    const int heads = view.a->headCount(part);
    std::vector<float> moved(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (int layer = 0; layer < layers; ++layer) {
        const auto a = view.a->find(patternKey(part, layer));
        const auto b = view.b->find(patternKey(part, layer));
        if (!a || !b || a->shape() != b->shape())
            return {};
        for (int head = 0; head < heads; ++head)
            moved[static_cast<std::size_t>(head * layers + layer)] =
                static_cast<float>(movedWeight(a->view()[head], b->view()[head]));
    }
    return HeatmapMatrix::copyOf(std::move(moved), heads, layers);
}

bool predictsWhatFollows(const LoadedModel& model)
{
    return !model.model || model.model->config().hasDecoder();
}

} // namespace

std::optional<NextTokenChange> nextTokenChange(const ViewSnapshot& view)
{
    const std::int64_t lastA = lastPosition(*view.a);
    const std::int64_t lastB = lastPosition(*view.b);
    if (lastA < 0 || lastB < 0)
        return std::nullopt;
    const int wanted = view.selection.query;
    const bool follows =
        wanted < 0 || !predictsAtQuery(view.selection.part) || wanted > lastA || wanted > lastB;
    return largestNextTokenChange(*view.a, follows ? lastA : wanted, *view.b,
                                  follows ? lastB : wanted);
}

std::optional<GridCell> ChangeEffect::mostMoved() const
{
    if (moved.isEmpty())
        return std::nullopt;
    const float* begin = moved.values.get();
    const float* end = begin + moved.rows * moved.columns;
    const auto place = static_cast<int>(std::max_element(begin, end) - begin);
    if (begin[place] <= 0.0F)
        return std::nullopt;
    return GridCell{place % moved.columns, place / moved.columns};
}

double ChangeEffect::movedIn(GridCell head) const
{
    const HeatmapCell cell{head.head, head.layer};
    return moved.contains(cell) ? double{moved.at(cell)} : 0.0;
}

ChangeEffect effectOf(const ViewSnapshot& view)
{
    ChangeEffect effect;
    if (!view.a || !view.b)
        return effect;
    effect.next = nextTokenChange(view);
    if (predictsWhatFollows(view.modelA) && predictsWhatFollows(view.modelB)) {
        effect.lossA = meanLoss(*view.a);
        effect.lossB = meanLoss(*view.b);
    }
    effect.moved = movedOf(view);
    if (effect.next)
        effect.nextToken = labelOf(effect.next->id, view.modelA);
    return effect;
}

void EffectMeter::measure(const ViewSnapshot& view)
{
    const Subject subject{view.a, view.b, view.selection.part, view.selection.query};
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_task.cancel();
    if (!view.a || !view.b)
        return take({});
    m_task.start([view](const LatestTask::Control&) { return effectOf(view); },
                 [this](const ChangeEffect& effect) { take(effect); },
                 [this](const QString&) { take({}); }); // Not comparable: nothing to show.
}

void EffectMeter::take(const ChangeEffect& effect)
{
    m_effect = effect;
    emit measured();
}

} // namespace headscope::ui
