#include "core/analysis/labels/label_evidence.h"

#include "core/analysis/scores/head_pass.h"

#include <algorithm>
#include <functional>

namespace headscope {

namespace {

using Cells = std::vector<EvidenceCell>;

std::shared_ptr<const Tensor> patternOf(const EvidenceText& text, HeadId head)
{
    return text.trace ? text.trace->findHead(patternKey(head.attention, head.layer), head.head)
                      : nullptr;
}

Cells stripe(int tokens, int back)
{
    Cells cells;
    for (int query = back; query < tokens; ++query)
        cells.push_back({query, query - back, 0.0});
    return cells;
}

Cells firstColumn(int queries)
{
    Cells cells;
    for (int query = 1; query < queries; ++query)
        cells.push_back({query, 0, 0.0});
    return cells;
}

/// `after` the copy: 0 the copy itself, 1 the token after it.
Cells copies(const EvidenceText& text, AttentionKind attention, int after)
{
    Cells cells;
    const TextRepeats repeats(text.trace->queryTokens(attention).ids());
    for (std::size_t query = 0; query < repeats.copies.size(); ++query)
        for (const int copy : repeats.copies[query])
            if (text.period == 0 || static_cast<std::int64_t>(query) - copy == text.period)
                cells.push_back({static_cast<int>(query), copy + after, 0.0});
    return cells;
}

Cells pairCells(const EvidenceText& text, PairKind kind)
{
    Cells cells;
    for (const PairPosition& pair : text.pairs)
        for (int key = pair.key.begin; pair.kind == kind && key < pair.key.end; ++key)
            cells.push_back({pair.query.end - 1, key, 0.0});
    return cells;
}

Cells lastRow(TensorView pattern)
{
    Cells cells;
    for (int key = 0; key < static_cast<int>(pattern.shape[1]); ++key)
        cells.push_back({static_cast<int>(pattern.shape[0]) - 1, key, 0.0});
    return cells;
}

Cells idealCells(HeadLabelKind kind, const EvidenceText& text, HeadId head, TensorView pattern)
{
    const auto queries = static_cast<int>(pattern.shape[0]);
    switch (kind) {
    case HeadLabelKind::PreviousToken:
        return stripe(queries, 1);
    case HeadLabelKind::Induction:
        return copies(text, head.attention, 1);
    case HeadLabelKind::DuplicateToken:
        return copies(text, head.attention, 0);
    case HeadLabelKind::FirstTokenSink:
        return firstColumn(queries);
    case HeadLabelKind::Positional:
        return stripe(queries, usualPlace({text}, head).back);
    case HeadLabelKind::Broad:
        return lastRow(pattern);
    case HeadLabelKind::SyntaxLike:
        return pairCells(text, PairKind::SubjectVerb);
    case HeadLabelKind::CoreferenceLike:
        return pairCells(text, PairKind::Coreference);
    case HeadLabelKind::Copying:
        break;
    }
    return {};
}

/// Cells with their weights, heaviest first.
Cells weighed(Cells cells, TensorView pattern)
{
    for (EvidenceCell& cell : cells)
        cell.weight = double{pattern(cell.query, cell.key)};
    std::ranges::stable_sort(cells, std::greater<>(), &EvidenceCell::weight);
    return cells;
}

double meanWeight(const Cells& cells)
{
    double sum = 0.0;
    for (const EvidenceCell& cell : cells)
        sum += cell.weight;
    return cells.empty() ? 0.0 : sum / static_cast<double>(cells.size());
}

Cells allCells(HeadLabelKind kind, const EvidenceText& text, HeadId head)
{
    const auto pattern = patternOf(text, head);
    if (!pattern)
        return {};
    return weighed(idealCells(kind, text, head, pattern->view()), pattern->view());
}

Cells heaviest(Cells cells)
{
    cells.resize(std::min(cells.size(), kEvidenceCells));
    return cells;
}

} // namespace

Evidence strongestEvidence(HeadLabelKind kind, const std::vector<EvidenceText>& texts, HeadId head)
{
    Evidence best;
    double most = 0.0;
    for (const EvidenceText& text : texts) {
        Cells cells = allCells(kind, text, head);
        const double weight = meanWeight(cells);
        if (cells.empty() || (best.text && weight <= most))
            continue;
        most = weight;
        best = {text.trace, heaviest(std::move(cells))};
    }
    return best;
}

UsualPlace usualPlace(const std::vector<EvidenceText>& texts, HeadId head)
{
    std::vector<double> sums;
    std::vector<double> counts;
    for (const EvidenceText& text : texts) {
        const auto pattern = patternOf(text, head);
        const auto tokens = static_cast<std::size_t>(pattern ? pattern->shape()[0] : 0);
        sums.resize(std::max(sums.size(), tokens), 0.0);
        counts.resize(sums.size(), 0.0);
        for (std::size_t query = 1; query < tokens; ++query)
            for (std::size_t back = 0; back <= query; ++back) {
                sums[back] += double{pattern->view()(static_cast<std::int64_t>(query),
                                                     static_cast<std::int64_t>(query - back))};
                counts[back] += 1.0;
            }
    }
    UsualPlace usual; // among distances that half of the queries have
    for (std::size_t back = 0; back < sums.size(); ++back)
        if (2.0 * counts[back] >= counts.front() && sums[back] / counts[back] > usual.weight)
            usual = {static_cast<int>(back), sums[back] / counts[back]};
    return usual;
}

} // namespace headscope
