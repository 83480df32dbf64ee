#include "ui/widgets/arcs/arcs.h"

#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::ui {
namespace {

struct RowCell
{
    int key = 0;
    float weight = 0.0F;
};

/// For equal weights the later cell is weaker.
bool isWeaker(const RowCell& left, const RowCell& right)
{
    const float a = std::abs(left.weight);
    const float b = std::abs(right.weight);
    return a != b ? a < b : left.key > right.key;
}

/// Fills `cells` with the visible cells of one row.
void takeRow(const ArcHead& head, int query, std::vector<RowCell>& cells)
{
    const auto [first, last] = head.mask.visibleColumns(query, head.matrix);
    const bool mayHide = head.mask.kind == HeatmapMask::Kind::Cells;
    const float* row =
        head.matrix.values.get() + static_cast<std::ptrdiff_t>(query) * head.matrix.columns;
    cells.resize(static_cast<std::size_t>(last - first));
    RowCell* next = cells.data();
    for (int key = first; key < last; ++key) {
        if (!mayHide || !head.mask.hides({query, key}, head.matrix))
            *next++ = {key, row[key]};
    }
    cells.resize(static_cast<std::size_t>(next - cells.data()));
}

double sizeOf(const std::vector<RowCell>& cells)
{
    double sum = 0.0;
    for (const RowCell& cell : cells)
        sum += std::abs(double{cell.weight});
    return sum;
}

bool isStronger(const RowCell& left, const RowCell& right)
{
    return isWeaker(right, left);
}

/// Keeps the `most` strongest cells, strongest first.
void keepFew(std::vector<RowCell>& cells, std::size_t most)
{
    std::vector<RowCell> kept;
    float least = -1.0F; // threshold once there are enough; later equal cells are weaker
    for (const RowCell& cell : cells) {
        if (std::abs(cell.weight) <= least)
            continue;
        if (kept.size() == most)
            kept.pop_back();
        kept.insert(std::upper_bound(kept.begin(), kept.end(), cell, isStronger), cell);
        if (kept.size() == most)
            least = std::abs(kept.back().weight);
    }
    cells = std::move(kept);
}

/// Takes the strongest cells one by one until the mass is covered; returns the covered mass.
double take(std::vector<RowCell>& cells, double wanted, const ArcCover& cover,
            const std::function<void(const RowCell&)>& keep)
{
    if (cover.mostPerRow > 0)
        keepFew(cells, static_cast<std::size_t>(cover.mostPerRow));
    const bool everything = cover.mass >= 1.0; // float sums may never quite reach 1
    double covered = 0.0;
    std::size_t sorted = cover.mostPerRow > 0 ? cells.size() : 0;
    for (std::size_t index = 0; index < cells.size() && (everything || covered < wanted); ++index) {
        if (index == sorted) { // often only a few cells of a row are needed
            sorted = std::min(cells.size(), std::max<std::size_t>(4, 4 * sorted));
            std::partial_sort(cells.begin() + static_cast<std::ptrdiff_t>(index),
                              cells.begin() + static_cast<std::ptrdiff_t>(sorted), cells.end(),
                              isStronger);
        }
        const RowCell& strongest = cells[index];
        if (strongest.weight == 0.0F)
            break;
        covered += std::abs(double{strongest.weight});
        keep(strongest);
    }
    return covered;
}

QString weightText(const ArcsContent& content, float weight)
{
    return content.isSigned ? signedNumber(double{weight}, 3) : readoutNumber(double{weight});
}

QString partnerText(const ArcsContent& content, const ArcLink& link, ArcSide side)
{
    const ArcEnd other = side == ArcSide::Query ? ArcEnd{ArcSide::Key, link.key}
                                                : ArcEnd{ArcSide::Query, link.query};
    const int number = content.heads[static_cast<std::size_t>(link.head)].number;
    if (other.index < 0)
        return tr("head %1: nothing").arg(number);
    return tr("head %1: %2, %3, %4")
        .arg(number)
        .arg(content.label(other))
        .arg(content.position(other))
        .arg(weightText(content, link.weight));
}

} // namespace

bool ArcsContent::contains(ArcEnd end) const
{
    const auto size = (end.side == ArcSide::Query ? queries : keys).size();
    return end.index >= 0 && end.index < size;
}

QString ArcsContent::label(ArcEnd end) const
{
    return (end.side == ArcSide::Query ? queries : keys).value(end.index);
}

int ArcsContent::position(ArcEnd end) const
{
    const std::vector<int>& positions = end.side == ArcSide::Query ? queryPositions : keyPositions;
    const auto index = static_cast<std::size_t>(end.index);
    return index < positions.size() ? positions[index] : end.index;
}

float ArcsContent::weight(int head, int query, int key) const
{
    const ArcHead& shown = heads[static_cast<std::size_t>(head)];
    if (!shown.matrix.contains({query, key}) || shown.mask.hides({query, key}, shown.matrix))
        return 0.0F;
    return shown.matrix.at({query, key});
}

void keepStrongest(ArcsContent& content, double mass)
{
    const bool isLong = std::max(content.queries.size(), content.keys.size()) > kLongColumn;
    const ArcCover cover{mass, isLong ? kLinksOfLongRows : 0};
    content.links.clear();
    ArcCounts counts;
    counts.hiddenMass = content.counts.hiddenMass;
    counts.sinkMass = content.counts.sinkMass;
    counts.mostPerRow = cover.mostPerRow;
    double shown = 0.0;
    double all = 0.0;
    std::vector<RowCell> cells;
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        const ArcHead& source = content.heads[static_cast<std::size_t>(head)];
        for (int query = 0; query < source.matrix.rows; ++query) {
            takeRow(source, query, cells);
            const double row = sizeOf(cells);
            counts.all += static_cast<long long>(cells.size());
            all += row;
            shown += take(cells, cover.mass * row, cover, [&](const RowCell& cell) {
                content.links.push_back({head, query, cell.key, cell.weight});
            });
        }
    }
    counts.shown = static_cast<long long>(content.links.size());
    counts.shownMass = all > 0.0 ? shown / all : 0.0;
    content.counts = counts;
}

std::vector<ArcLink> linksOf(const ArcsContent& content, ArcEnd end)
{
    std::vector<ArcLink> found;
    for (const ArcLink& link : content.links) {
        if ((end.side == ArcSide::Query ? link.query : link.key) == end.index)
            found.push_back(link);
    }
    std::stable_sort(found.begin(), found.end(), [](const ArcLink& left, const ArcLink& right) {
        return std::abs(left.weight) < std::abs(right.weight);
    });
    return found;
}

std::vector<ArcLink> strongestOf(const ArcsContent& content, ArcEnd end)
{
    std::vector<ArcLink> strongest;
    const bool outgoing = end.side == ArcSide::Query;
    const auto others = static_cast<int>((outgoing ? content.keys : content.queries).size());
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        ArcLink best{head, outgoing ? end.index : -1, outgoing ? -1 : end.index, 0.0F};
        for (int other = 0; other < others; ++other) {
            const int query = outgoing ? end.index : other;
            const int key = outgoing ? other : end.index;
            const float weight = content.weight(head, query, key);
            if (std::abs(weight) > std::abs(best.weight))
                best = {head, query, key, weight};
        }
        strongest.push_back(best);
    }
    return strongest;
}

QString percent(double fraction)
{
    return tr("%1 %").arg(number(fraction * 100.0, 0));
}

std::optional<ArcLink> strongestLink(const ArcsContent& content, ArcEnd end,
                                     std::optional<ArcEnd> other)
{
    std::vector<ArcLink> links = strongestOf(content, end);
    if (other) {
        const bool asks = end.side == ArcSide::Query;
        const int query = asks ? end.index : other->index;
        const int key = asks ? other->index : end.index;
        for (ArcLink& link : links)
            link = {link.head, query, key, content.weight(link.head, query, key)};
    }
    std::erase_if(links, [](const ArcLink& link) { return link.query < 0 || link.key < 0; });
    const auto largest =
        std::max_element(links.begin(), links.end(), [](const ArcLink& a, const ArcLink& b) {
            return std::abs(a.weight) < std::abs(b.weight);
        });
    return largest != links.end() ? std::optional(*largest) : std::nullopt;
}

QString countText(const ArcCounts& counts)
{
    QString words = tr("%1 of %2 links shown · %3 of the visible attention")
                        .arg(count(counts.shown), count(counts.all), percent(counts.shownMass));
    if (counts.mostPerRow > 0)
        words += tr(" · at most %1 per row and head above %2 tokens")
                     .arg(counts.mostPerRow)
                     .arg(kLongColumn);
    return words;
}

QString describeEnd(const ArcsContent& content, ArcEnd end)
{
    QStringList words{(end.side == ArcSide::Query ? tr("query %1, %2") : tr("key %1, %2"))
                          .arg(content.label(end))
                          .arg(content.position(end))};
    for (const ArcLink& link : strongestOf(content, end))
        words << partnerText(content, link, end.side);
    return words.join(QStringLiteral("; "));
}

QString weightsOfPair(const ArcsContent& content, int query, int key)
{
    QStringList weights;
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        const ArcHead& shown = content.heads[static_cast<std::size_t>(head)];
        if (shown.mask.hides({query, key}, shown.matrix))
            continue;
        weights << tr("head %1 %2")
                       .arg(shown.number)
                       .arg(weightText(content, content.weight(head, query, key)));
    }
    return weights.empty() ? tr("hidden by the mask") : weights.join(QStringLiteral(", "));
}

QString describePair(const ArcsContent& content, int query, int key)
{
    const ArcEnd from{ArcSide::Query, query};
    const ArcEnd to{ArcSide::Key, key};
    return tr("query %1, %2, key %3, %4: %5")
        .arg(content.label(from))
        .arg(content.position(from))
        .arg(content.label(to))
        .arg(content.position(to))
        .arg(weightsOfPair(content, query, key));
}

} // namespace headscope::ui
