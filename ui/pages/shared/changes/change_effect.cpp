#include "ui/pages/shared/changes/change_effect.h"

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

std::optional<NextTokenChange> nextChange(const Looking& looking)
{
    const std::int64_t lastA = lastPosition(*looking.a);
    const std::int64_t lastB = lastPosition(*looking.b);
    if (lastA < 0 || lastB < 0)
        return std::nullopt;
    const int wanted = looking.selection.query;
    const bool follows =
        wanted < 0 || !predictsAtQuery(looking.selection.part) || wanted > lastA || wanted > lastB;
    return largestNextTokenChange(*looking.a, follows ? lastA : wanted, *looking.b,
                                  follows ? lastB : wanted);
}

HeatmapMatrix movedOf(const Looking& looking)
{
    if (!looking.isComparable())
        return {};
    const AttentionKind part = looking.selection.part;
    const int layers = looking.a->layerCount(part);
    const int heads = looking.a->headCount(part);
    std::vector<float> moved(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (int layer = 0; layer < layers; ++layer) {
        const auto a = looking.a->find(patternKey(part, layer));
        const auto b = looking.b->find(patternKey(part, layer));
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

ChangeEffect effectOf(const Looking& looking)
{
    ChangeEffect effect;
    if (!looking.a || !looking.b)
        return effect;
    effect.next = nextChange(looking);
    if (predictsWhatFollows(looking.modelA) && predictsWhatFollows(looking.modelB)) {
        effect.lossA = meanLoss(*looking.a);
        effect.lossB = meanLoss(*looking.b);
    }
    effect.moved = movedOf(looking);
    return effect;
}

void EffectMeter::measure(const Looking& looking)
{
    const Subject subject{looking.a, looking.b, looking.selection.part, looking.selection.query};
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_task.cancel();
    if (!looking.a || !looking.b)
        return take({});
    m_task.start([looking](const LatestTask::Control&) { return effectOf(looking); },
                 [this](const ChangeEffect& effect) { take(effect); },
                 [this](const QString&) { take({}); }); // Not comparable: nothing to show.
}

void EffectMeter::take(const ChangeEffect& effect)
{
    m_effect = effect;
    emit measured();
}

} // namespace headscope::ui
