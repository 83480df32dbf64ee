#include "core/trace/trace_recorder.h"

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

/// Copies into dense memory; the last axis is contiguous. Returns the end of what it wrote.
float* pack(TensorView source, float* destination)
{
    if (source.isContiguous())
        return std::copy_n(source.data, source.shape.elementCount(), destination);
    for (std::int64_t i = 0; i < source.shape[0]; ++i)
        destination = pack(source[i], destination);
    return destination;
}

std::shared_ptr<const Tensor> packed(TensorView source)
{
    Tensor whole(source.shape);
    if (!whole.empty())
        pack(source, whole.data());
    return std::make_shared<const Tensor>(std::move(whole));
}

/// [n, ...]: old rows, then the fresh ones.
Tensor joinRows(const Tensor* previous, TensorView fresh, std::int64_t firstRow,
                std::int64_t tokens)
{
    Shape shape{tokens};
    for (int axis = 1; axis < fresh.shape.rank(); ++axis)
        shape.append(fresh.shape[axis]);
    Tensor joined(shape);
    float* destination = joined.data();
    if (firstRow > 0)
        destination =
            std::copy_n(previous->data(), firstRow * joined.view().stride(0), destination);
    if (fresh.shape[0] > 0)
        pack(fresh, destination);
    return joined;
}

/// Where the fresh rows of [h, n, m] go, and what their keys are.
struct QueryRows
{
    std::int64_t firstRow;
    std::int64_t tokens;  ///< n
    std::int64_t keys;    ///< m
    std::int64_t oldKeys; ///< those that the old rows know; the others they cannot see
    float unseen;
};

Tensor joinQueryRows(const Tensor* previous, TensorView fresh, const QueryRows& rows)
{
    Tensor joined({fresh.shape[0], rows.tokens, rows.keys});
    const MutableTensorView all = joined.view();
    for (std::int64_t head = 0; head < fresh.shape[0]; ++head) {
        for (std::int64_t query = 0; query < rows.firstRow; ++query) {
            float* end =
                std::copy_n(&previous->view()(head, query, 0), rows.oldKeys, &all(head, query, 0));
            std::fill_n(end, rows.keys - rows.oldKeys, rows.unseen);
        }
        if (fresh.shape[1] > 0)
            pack(fresh[head], &all(head, rows.firstRow, 0));
    }
    return joined;
}

Tensor join(TraceKey key, const Tensor* previous, TensorView fresh, std::int64_t firstRow,
            std::int64_t tokens)
{
    if (!hasQueryRowsPerHead(key.site))
        return joinRows(previous, fresh, firstRow, tokens);
    const bool cross = key.site == Site::CrossScores || key.site == Site::CrossPattern;
    const bool scores = key.site == Site::AttnScores || key.site == Site::CrossScores;
    QueryRows rows{firstRow, tokens, tokens, firstRow, 0.0F};
    if (cross)
        rows.keys = rows.oldKeys = fresh.shape[2];
    if (scores)
        rows.unseen = -std::numeric_limits<float>::infinity();
    return joinQueryRows(previous, fresh, rows);
}

/// No rows of the shape that `whole` has.
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
                             TracePtr previous)
    : m_tokens(tokens)
    , m_previous(std::move(previous))
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

Trace::Activations TraceRecorder::take()
{
    if (!m_previous)
        return std::move(m_activations);
    for (const auto& [key, whole] : m_previous->activations()) {
        if (!wants(key) || m_activations.contains(key))
            continue;
        if (isComputedAtOnce(key))
            m_activations[key] = whole;
        else if (!m_hasNewRows)
            m_activations[key] = std::make_shared<const Tensor>(
                join(key, whole.get(), withoutRows(key, *whole), m_tokens, m_tokens));
    }
    return std::move(m_activations);
}

} // namespace headscope
