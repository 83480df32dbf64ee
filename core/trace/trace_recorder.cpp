#include "core/trace/trace_recorder.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kSiteCount = static_cast<std::size_t>(Site::Logits) + 1;
constexpr std::size_t kStackCount = static_cast<std::size_t>(Stack::Decoder) + 1;

std::size_t place(TraceKey key)
{
    const std::size_t row =
        static_cast<std::size_t>(key.layer) * kStackCount + static_cast<std::size_t>(key.stack);
    return row * kSiteCount + static_cast<std::size_t>(key.site);
}

std::shared_ptr<const Tensor> packed(TensorView source)
{
    Tensor whole(source.shape);
    if (!whole.empty())
        copyPacked(source, whole.data());
    return std::make_shared<const Tensor>(std::move(whole));
}

/// Joins old rows and new ones: [n, ...].
Tensor joinRows(const Tensor* previous, TensorView fresh, std::int64_t firstRow,
                std::int64_t tokens)
{
    Tensor joined(fresh.shape.withRows(tokens));
    float* destination = joined.data();
    if (firstRow > 0)
        destination =
            std::copy_n(previous->data(), firstRow * joined.view().stride(0), destination);
    if (fresh.shape[0] > 0)
        copyPacked(fresh, destination);
    return joined;
}

/// Range of the new rows of [h, n, m], and their keys.
struct QueryRows
{
    std::int64_t firstRow;
    std::int64_t tokens;  ///< Number of query tokens n.
    std::int64_t keys;    ///< Number of keys m.
    std::int64_t oldKeys; ///< Keys known to the old rows; they cannot see the others.
    float unseen;
};

/// Allocation costs more than the copy; from this size on, several threads share it.
constexpr std::size_t kValuesForAThread = 1 << 16;

Tensor joinQueryRows(const Tensor* previous, TensorView fresh, const QueryRows& rows)
{
    Tensor joined({fresh.shape[0], rows.tokens, rows.keys});
    const MutableTensorView all = joined.view();
    const auto joinHead = [&](std::int64_t head) {
        for (std::int64_t query = 0; query < rows.firstRow; ++query) {
            float* end =
                std::copy_n(&previous->view()(head, query, 0), rows.oldKeys, &all(head, query, 0));
            std::fill_n(end, rows.keys - rows.oldKeys, rows.unseen);
        }
        if (fresh.shape[1] > 0)
            copyPacked(fresh[head], &all(head, rows.firstRow, 0));
    };
    parallelFor(fresh.shape[0], joined.size() < kValuesForAThread ? 1 : workerCount(),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    for (std::size_t head = begin; head < end; ++head)
                        joinHead(static_cast<std::int64_t>(head));
                });
    return joined;
}

Tensor join(TraceKey key, const Tensor* previous, TensorView fresh, std::int64_t firstRow,
            std::int64_t tokens)
{
    if (!hasQueryRowsPerHead(key.site))
        return joinRows(previous, fresh, firstRow, tokens);
    QueryRows rows{firstRow, tokens, tokens, firstRow, 0.0F};
    if (hasSourceColumns(key.site))
        rows.keys = rows.oldKeys = fresh.shape[2];
    if (isScores(key.site))
        rows.unseen = -std::numeric_limits<float>::infinity();
    return joinQueryRows(previous, fresh, rows);
}

/// A view without rows, of the shape of `whole`.
TensorView withoutRows(TraceKey key, const Tensor& whole)
{
    TensorView view = whole.view();
    Shape shape;
    for (int axis = 0; axis < view.shape.rank(); ++axis)
        shape.append(axis == (hasQueryRowsPerHead(key.site) ? 1 : 0) ? 0 : view.shape[axis]);
    view.shape = shape;
    return view;
}

} // namespace

TraceRecorder::TraceRecorder(const std::vector<TraceKey>& wanted, std::int64_t tokens,
                             TracePtr previous, Patterns patterns)
    : m_tokens(tokens)
    , m_previous(std::move(previous))
    , m_patterns(patterns)
{
    for (const TraceKey key : wanted) {
        if (place(key) >= m_wanted.size())
            m_wanted.resize(place(key) + 1);
        m_wanted[place(key)] = true;
    }
}

bool TraceRecorder::wants(TraceKey key) const
{
    return place(key) < m_wanted.size() && m_wanted[place(key)];
}

void TraceRecorder::record(TraceKey key, TensorView activation, std::int64_t firstRow)
{
    if (isComputedAtOnce(key)) {
        m_activations[key] = packed(activation);
        return;
    }
    m_hasNewRows = true;
    const std::shared_ptr<const Tensor> previous = m_previous ? m_previous->find(key) : nullptr;
    m_activations[key] =
        std::make_shared<const Tensor>(join(key, previous.get(), activation, firstRow, m_tokens));
}

bool TraceRecorder::keepsOperands(TraceKey key) const
{
    return m_patterns != Patterns::Whole && key.site == Site::Pattern;
}

void TraceRecorder::recordOperands(TraceKey key, const AttentionInputs& inputs,
                                   std::int64_t firstRow)
{
    m_hasNewRows = m_hasNewRows || !isComputedAtOnce(key);
    const RetainedAttention* before =
        firstRow > 0 ? m_previous->retainedPatterns().at(key).get() : nullptr;
    const auto operands = m_patterns == Patterns::AllOperands
                              ? RetainedAttention::Operands::All
                              : RetainedAttention::Operands::QueriesAndKeys;
    m_kept[key] = std::make_shared<const RetainedAttention>(inputs, before, firstRow, operands);
}

/// Takes activations that the forward pass did not have to compute.
void TraceRecorder::takeKeptBefore()
{
    for (const auto& [key, longer] : m_previous->retainedPatterns()) {
        if (!wants(key) || m_kept.contains(key) || m_activations.contains(key))
            continue;
        if (isComputedAtOnce(key))
            m_kept[key] = longer;
        else if (!m_hasNewRows && longer->canBeCut())
            m_kept[key] = std::make_shared<const RetainedAttention>(*longer, m_tokens);
        else if (!m_hasNewRows)
            takeRows(key, longer->pattern());
    }
}

/// Takes all rows of this text, a prefix of the earlier trace's.
void TraceRecorder::takeRows(TraceKey key, const Tensor& whole)
{
    m_activations[key] = std::make_shared<const Tensor>(
        join(key, &whole, withoutRows(key, whole), m_tokens, m_tokens));
}

Trace::Activations TraceRecorder::take()
{
    if (!m_previous)
        return std::move(m_activations);
    takeKeptBefore();
    for (const auto& [key, whole] : m_previous->activations()) {
        if (!wants(key) || m_activations.contains(key))
            continue;
        if (isComputedAtOnce(key))
            m_activations[key] = whole;
        else if (!m_hasNewRows)
            takeRows(key, *whole);
    }
    return std::move(m_activations);
}

} // namespace headscope
