#include "ui/widgets/arcs.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Arcs", text);
}

struct RowCell
{
    int key = 0;
    float weight = 0.0F;
};

/// For a heap whose top is the strongest, of equals the earliest.
bool isWeaker(const RowCell& left, const RowCell& right)
{
    const float a = std::abs(left.weight);
    const float b = std::abs(right.weight);
    return a != b ? a < b : left.key > right.key;
}

/// The open cells of one row.
std::vector<RowCell> cellsOf(const ArcHead& head, int query)
{
    std::vector<RowCell> cells;
    cells.reserve(static_cast<std::size_t>(head.matrix.columns));
    const bool mayHide = head.mask.kind != HeatmapMask::Kind::None;
    for (int key = 0; key < head.matrix.columns; ++key) {
        if (!mayHide || !head.mask.hides({query, key}, head.matrix))
            cells.push_back({key, head.matrix.at({query, key})});
    }
    return cells;
}

double sizeOf(const std::vector<RowCell>& cells)
{
    double sum = 0.0;
    for (const RowCell& cell : cells)
        sum += std::abs(double{cell.weight});
    return sum;
}

/// Takes from the heap until enough is covered; returns the share's absolute size.
double take(std::vector<RowCell>& cells, double wanted, const ArcCover& cover,
            const std::function<void(const RowCell&)>& keep)
{
    std::make_heap(cells.begin(), cells.end(), isWeaker);
    double covered = 0.0;
    int kept = 0;
    const bool everything = cover.mass >= 1.0; // sums of floats may never quite reach 1
    while (!cells.empty() && (everything || covered < wanted) &&
           (cover.mostPerRow == 0 || kept < cover.mostPerRow)) {
        std::pop_heap(cells.begin(), cells.end(), isWeaker);
        const RowCell strongest = cells.back();
        cells.pop_back();
        if (strongest.weight == 0.0F)
            break;
        covered += std::abs(double{strongest.weight});
        ++kept;
        keep(strongest);
    }
    return covered;
}

QString partnerWords(const ArcsContent& content, const ArcLink& link, ArcSide side)
{
    const ArcEnd other = side == ArcSide::Query ? ArcEnd{ArcSide::Key, link.key}
                                                : ArcEnd{ArcSide::Query, link.query};
    const int number = content.heads[static_cast<std::size_t>(link.head)].number;
    if (other.index < 0)
        return tr("head %1: nothing").arg(number);
    const QString weight = content.isSigned ? signedNumber(double{link.weight}, 3)
                                            : readoutNumber(double{link.weight});
    return tr("head %1: %2, %3, %4")
        .arg(number)
        .arg(content.label(other))
        .arg(content.position(other))
        .arg(weight);
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
    counts.mostPerRow = cover.mostPerRow;
    double shown = 0.0;
    double all = 0.0;
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        const ArcHead& source = content.heads[static_cast<std::size_t>(head)];
        for (int query = 0; query < source.matrix.rows; ++query) {
            std::vector<RowCell> cells = cellsOf(source, query);
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

QString percent(double share)
{
    return tr("%1 %").arg(number(share * 100.0, 0));
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

QString countWords(const ArcCounts& counts)
{
    QString words = tr("%1 of %2 links shown · %3 of the visible attention")
                        .arg(count(counts.shown), count(counts.all), percent(counts.shownMass));
    if (counts.mostPerRow > 0)
        words += tr(" · at most %1 a row and head above %2 tokens")
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
        words << partnerWords(content, link, end.side);
    return words.join(QStringLiteral("; "));
}

} // namespace headscope::ui
