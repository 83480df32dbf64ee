#include "ui/pages/shared/sharing/shared_patterns.h"

#include "ui/pages/shared/maps/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

/// A difference that is not defined is shared as B.
Variant sharedVariant(const ViewSnapshot& view)
{
    const bool isDefined = view.shown != Variant::Difference || view.isComparable();
    return isDefined ? view.shown : Variant::B;
}

ViewSnapshot ofKind(ViewSnapshot view, AttentionKind attention)
{
    view.selection.part = attention;
    return view;
}

/// Heads that have a pattern: the active one, the rest of its layer, then the others as they come.
std::vector<GridCell> headsOf(const Trace& trace, AttentionKind attention, GridCell active)
{
    std::vector<GridCell> heads;
    for (const TraceKey key : trace.patternKeys()) {
        if (attentionOf(key) != attention)
            continue;
        for (int head = 0; head < trace.headsOf(key); ++head)
            heads.push_back({key.layer, head});
    }
    std::stable_partition(heads.begin(), heads.end(),
                          [&](GridCell head) { return head.layer == active.layer; });
    std::stable_partition(heads.begin(), heads.end(),
                          [&](GridCell head) { return head == active; });
    return heads;
}

/// Columns to store of each row. A row that is faint in this head may be full in another.
std::vector<int> storedLengths(const ShownPattern& pattern)
{
    std::vector<int> lengths;
    for (int row = 0; row < pattern.matrix.rows; ++row) {
        int length = pattern.mask.visibleColumns(row, pattern.matrix).second;
        while (length > 0 && !pattern.isFaint(row) &&
               pattern.mask.hides({row, length - 1}, pattern.matrix))
            --length;
        lengths.push_back(length);
    }
    return lengths;
}

/// Appends levels to a SharedPatterns.
class LevelWriter
{
public:
    explicit LevelWriter(SharedPatterns& patterns) : m_patterns(patterns) {}

    void write(const ShownPattern& head, const std::vector<int>& lengths)
    {
        for (int row = 0; row < static_cast<int>(lengths.size()); ++row) {
            for (int column = 0; column < lengths[static_cast<std::size_t>(row)]; ++column) {
                const HeatmapCell cell{row, column};
                const bool isSeen =
                    head.matrix.contains(cell) && !head.mask.hides(cell, head.matrix);
                append(isSeen ? levelOf(head.matrix.at(cell)) : m_patterns.maskedLevel(),
                       m_patterns.levels);
            }
        }
    }

    /// A row whose sink is not defined has the masked level.
    void writeSink(const std::vector<float>& sink)
    {
        for (const float weight : sink)
            append(levelOf(weight), m_patterns.sinkLevels);
    }

private:
    int levelOf(float value) const
    {
        if (!std::isfinite(value))
            return m_patterns.maskedLevel();
        const double low = m_patterns.isSigned ? -1.0 : 0.0;
        const double place = (std::clamp(double{value}, low, 1.0) - low) / (1.0 - low);
        return static_cast<int>(std::lround(place * (m_patterns.maskedLevel() - 1)));
    }

    void append(int level, QByteArray& to) const
    {
        to.append(static_cast<char>(level & 0xFF));
        if (m_patterns.bits == 16)
            to.append(static_cast<char>(level >> 8));
    }

    SharedPatterns& m_patterns;
};

std::int64_t cellsOfHead(const SharedKind& kind)
{
    return std::accumulate(kind.lengths.begin(), kind.lengths.end(), std::int64_t{0});
}

std::int64_t levelsOfHead(const SharedKind& kind)
{
    return cellsOfHead(kind) + (kind.hasSinks ? std::ssize(kind.lengths) : 0);
}

/// One kind with all its heads, the most important first.
SharedKind frameOfKind(const ViewSnapshot& view, AttentionKind attention)
{
    const Trace& trace = *view.trace();
    SharedKind kind;
    kind.attention = attention;
    kind.layers = trace.layerCount(attention);
    kind.heads = trace.headCount(attention);
    kind.stored = headsOf(trace, attention, {view.selection.layer, view.selection.head});
    if (kind.stored.empty())
        return kind;
    const ShownPattern first =
        shownPattern(ofKind(view, attention), view.shown, kind.stored.front());
    kind.rows = first.rowLabels;
    kind.columns = first.columnLabels;
    kind.lengths = storedLengths(first);
    kind.hasSinks = !first.sink.empty();
    if (cellsOfHead(kind) == 0)
        kind.stored.clear();
    return kind;
}

/// A layer at a time: its heads share rows, columns and labels.
void writeHeads(const ViewSnapshot& view, const SharedKind& kind, SharedPatterns& patterns)
{
    LevelWriter writer(patterns);
    for (auto first = kind.stored.begin(); first != kind.stored.end();) {
        const auto end = std::find_if(first, kind.stored.end(),
                                      [&](GridCell head) { return head.layer != first->layer; });
        for (const ShownPattern& head :
             shownPatterns(ofKind(view, kind.attention), view.shown, {first, end})) {
            writer.write(head, kind.lengths);
            if (kind.hasSinks)
                writer.writeSink(head.sink);
        }
        first = end;
    }
}

/// Heads beyond the budget go; kinds without heads go too.
void keepWithin(std::int64_t cells, std::vector<SharedKind>& kinds)
{
    for (SharedKind& kind : kinds) {
        const std::int64_t each = std::max<std::int64_t>(levelsOfHead(kind), 1);
        const auto fitting = static_cast<std::size_t>(std::max<std::int64_t>(cells / each, 0));
        kind.stored.resize(std::min(kind.stored.size(), fitting));
        cells -= each * static_cast<std::int64_t>(kind.stored.size());
    }
    std::erase_if(kinds, [](const SharedKind& kind) { return kind.stored.empty(); });
}

int headCount(const std::vector<SharedKind>& kinds)
{
    std::size_t heads = 0;
    for (const SharedKind& kind : kinds)
        heads += kind.stored.size();
    return static_cast<int>(heads);
}

} // namespace

SharedPatterns sharedPatterns(const ViewSnapshot& shown, qsizetype budget)
{
    SharedPatterns patterns;
    ViewSnapshot view = shown;
    view.shown = sharedVariant(shown);
    patterns.isSigned = view.shown == Variant::Difference;
    std::vector<AttentionKind> attentions = view.trace()->attentionKinds();
    std::stable_partition(attentions.begin(), attentions.end(), [&](AttentionKind attention) {
        return attention == view.selection.part;
    });
    std::int64_t cells = 0;
    for (const AttentionKind attention : attentions) {
        patterns.kinds.push_back(frameOfKind(view, attention));
        const SharedKind& kind = patterns.kinds.back();
        cells += levelsOfHead(kind) * static_cast<std::int64_t>(kind.stored.size());
    }
    patterns.allHeads = headCount(patterns.kinds);
    patterns.bits = 2 * cells <= budget ? 16 : 8;
    keepWithin(budget / (patterns.bits / 8), patterns.kinds);
    patterns.storedHeads = headCount(patterns.kinds);
    for (const SharedKind& kind : patterns.kinds)
        writeHeads(view, kind, patterns);
    return patterns;
}

} // namespace headscope::ui
