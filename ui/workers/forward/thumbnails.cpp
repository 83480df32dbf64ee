#include "ui/workers/forward/thumbnails.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/base/error.h"
#include "core/base/stop.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

int rowsOf(const Trace& trace, AttentionKind part)
{
    return static_cast<int>(trace.queryTokens(part).size());
}

int columnsOf(const Trace& trace, AttentionKind part)
{
    return static_cast<int>(trace.keyTokens(part).size());
}

/// First row that the tracer recomputed for this trace.
int firstNewRow(const Trace& trace, AttentionKind part)
{
    if (part == AttentionKind::EncoderSelf)
        return 0;
    return rowsOf(trace, part) - static_cast<int>(trace.info().newTokens);
}

/// Rows that are computed at once: of a causal pattern a block needs no keys after its last row, and
/// 8,192 tokens need 8 MiB instead of 256.
constexpr int kBlockRows = 256;

/// Passes the rows from `first` on, computed on demand, to add(values, first, count).
template<class Add>
void addRows(const RetainedAttention& kept, int head, int first, const std::stop_token& stop,
             Add add)
{
    const auto end = static_cast<int>(kept.queryTokens());
    const int most = kept.canBeCut() ? kBlockRows : end;
    for (int begin = first, count = 0; begin < end; begin += count) {
        throwIfStopped(stop);
        count = std::min(most, end - begin);
        add(kept.rows(head, begin, count).data(), begin, count);
    }
}

/// Adds the rows from `first` on, held by the trace or computed on demand.
void addRows(ThumbnailBuilder& builder, const Trace& trace, const SinkWeights& sinks, HeadId head,
             int first, const std::stop_token& stop)
{
    const TraceKey key = patternKey(head.attention, head.layer);
    const auto add = [&](const float* values, int begin, int count) {
        builder.add(values, begin, count);
        const TensorView rows{values, {count, columnsOf(trace, head.attention)}};
        builder.addSink(sinks.of(head, rows, begin), begin);
    };
    const int count = rowsOf(trace, head.attention) - first;
    if (const auto kept = trace.retainedPatterns().find(key);
        kept != trace.retainedPatterns().end())
        addRows(*kept->second, head.head, first, stop, add);
    else if (const auto pattern = trace.find(key); pattern && count > 0)
        add(&pattern->view()(head.head, first, 0), first, count);
}

} // namespace

PartThumbnails Thumbnails::of(const Trace& trace, const std::stop_token& stop,
                              const Listener& listener)
{
    const std::map<AttentionKind, Part> before = std::exchange(m_last, {});
    std::map<AttentionKind, Part> made;
    for (const AttentionKind part : trace.attentionKinds()) {
        const auto last = before.find(part);
        made[part] =
            partOf(trace, part, last == before.end() ? Part() : last->second, {stop, listener});
    }
    PartThumbnails thumbnails;
    for (const auto& [part, now] : made)
        thumbnails[part] = now.heads;
    m_last = std::move(made);
    return thumbnails;
}

Thumbnails::Part Thumbnails::partOf(const Trace& trace, AttentionKind part, const Part& before,
                                    const Watch& watch)
{
    Part made{rowsOf(trace, part), columnsOf(trace, part), {}};
    const SinkWeights sinks(trace);
    const int layers = trace.layerCount(part);
    for (int layer = 0; layer < layers; ++layer) {
        const HeatmapMask mask = maskOf(trace, HeadId{part, layer, 0});
        for (int head = 0; head < trace.headCount(part); ++head) {
            throwIfStopped(watch.stop);
            ThumbnailBuilder builder(made.rows, made.columns, mask);
            const std::size_t place = made.heads.size();
            const int first = place < before.heads.size()
                                  ? builder.takeOver(*before.heads[place], before.rows,
                                                     before.columns, firstNewRow(trace, part))
                                  : 0;
            addRows(builder, trace, sinks, {part, layer, head}, first, watch.stop);
            made.heads.push_back(std::make_shared<const HeadThumbnail>(builder.take()));
        }
        if (watch.listener)
            watch.listener(static_cast<double>(layer + 1) / layers);
    }
    return made;
}

PartThumbnails thumbnailsOf(const Trace& trace)
{
    return Thumbnails().of(trace, {}, {});
}

PartThumbnails differenceThumbnails(const Trace& a, const Trace& b, const std::stop_token& stop)
{
    PartThumbnails thumbnails;
    const SinkWeights sinksOfA(a);
    const SinkWeights sinksOfB(b);
    for (const AttentionKind part : b.attentionKinds()) {
        std::vector<ThumbnailPtr>& heads = thumbnails[part];
        for (int layer = 0; layer < b.layerCount(part); ++layer) {
            const HeatmapMask mask = maskOf(b, HeadId{part, layer, 0});
            for (int head = 0; head < b.headCount(part); ++head) {
                throwIfStopped(stop);
                const HeadId id{part, layer, head};
                const HeatmapMatrix before = patternOf(a, id);
                const HeatmapMatrix after = patternOf(b, id);
                heads.push_back(std::make_shared<const HeadThumbnail>(makeThumbnail(
                    differenceOf(before, after), mask, true, HeadThumbnail::kSide,
                    differenceOf(sinkOf(sinksOfA, id, before), sinkOf(sinksOfB, id, after)))));
            }
        }
    }
    return thumbnails;
}

} // namespace headscope::ui
