#include "core/trace/trace.h"

#include "core/base/error.h"
#include "core/trace/computed_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

/// Values of an omitted activation that are computed at a time (16 MiB).
constexpr std::int64_t kValuesAtATime = 1 << 22;

std::size_t bytesOf(const TokenSequence& sequence)
{
    return sequence.text.size() + sequence.tokens.size() * sizeof(Token);
}

/// Rows of a tensor with a row per token.
TensorView rowsOf(const Tensor& whole, std::int64_t first, std::int64_t count)
{
    TensorView rows = whole.view();
    rows.data += first * rows.stride(0);
    rows.shape = rows.shape.withRows(count);
    return rows;
}

ActivationRows owned(Tensor rows)
{
    const auto owner = std::make_shared<const Tensor>(std::move(rows));
    return {owner, owner->view()};
}

void checkRows(TraceKey key, const Shape& whole, std::int64_t first, std::int64_t count)
{
    if (hasQueryRowsPerHead(key.site))
        throw ShapeError(fmt::format("{} has rows per head", toString(key)), "Trace::findRows");
    if (first < 0 || count < 0 || first + count > whole[0])
        throw ShapeError(fmt::format("rows {} to {} of {} {}", first, first + count, toString(key),
                                     whole.toString()),
                         "Trace::findRows");
}

} // namespace

std::span<const float> ActivationRows::operator[](std::int64_t row) const
{
    const auto width = static_cast<std::size_t>(view.stride(0));
    return {view.data + row * view.stride(0), width};
}

Trace::Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source,
             RetainedPatterns kept, OmittedActivationsPtr omitted)
    : m_tokens(std::move(tokens))
    , m_source(std::move(source))
    , m_activations(std::move(activations))
    , m_info(std::move(info))
    , m_kept(std::move(kept))
    , m_omitted(std::move(omitted))
    , m_computed(m_kept.empty() && !m_omitted ? nullptr : std::make_shared<ComputedParts>())
{
}

std::shared_ptr<const Tensor> Trace::find(TraceKey key) const
{
    if (const auto found = m_activations.find(key); found != m_activations.end())
        return found->second;
    const auto kept = m_kept.find(key);
    return kept == m_kept.end() ? findOmitted(key)
                                : m_computed->get({key}, [&] { return kept->second->pattern(); });
}

/// Caches no activation that would push out all others: the logits of a long text.
std::shared_ptr<const Tensor> Trace::findOmitted(TraceKey key) const
{
    const auto shape = m_omitted ? m_omitted->shapeOf(key) : std::nullopt;
    if (!shape)
        return nullptr;
    const auto compute = [&] { return m_omitted->rows(key, 0, (*shape)[0]); };
    if (static_cast<std::size_t>(shape->elementCount()) * sizeof(float) > ComputedParts::kMostBytes)
        return std::make_shared<const Tensor>(compute());
    return m_computed->get({key}, compute);
}

std::optional<Shape> Trace::shapeOf(TraceKey key) const
{
    if (const auto found = m_activations.find(key); found != m_activations.end())
        return found->second->shape();
    if (const auto kept = m_kept.find(key); kept != m_kept.end())
        return Shape{kept->second->heads(), kept->second->queryTokens(), kept->second->keyTokens()};
    return m_omitted ? m_omitted->shapeOf(key) : std::nullopt;
}

ActivationRows Trace::findRows(TraceKey key, std::int64_t first, std::int64_t count) const
{
    const auto shape = shapeOf(key);
    if (!shape)
        return {};
    checkRows(key, *shape, first, count);
    if (const auto found = m_activations.find(key); found != m_activations.end())
        return {found->second, rowsOf(*found->second, first, count)};
    const auto rows = m_computed->get({key, ActivationPart::kAll, first, count},
                                      [&] { return m_omitted->rows(key, first, count); });
    return {rows, rows->view()};
}

std::shared_ptr<const Tensor> Trace::findHead(TraceKey pattern, int head) const
{
    if (!isPattern(pattern.site) || head < 0 || head >= headsOf(pattern))
        return nullptr;
    if (const auto kept = m_kept.find(pattern); kept != m_kept.end())
        return m_computed->get({pattern, head}, [&] { return kept->second->headPattern(head); });
    const TensorView all = find(pattern)->view();
    Tensor one({all.shape[1], all.shape[2]});
    std::copy_n(all[head].data, one.size(), one.data());
    return std::make_shared<const Tensor>(std::move(one));
}

void Trace::forEachRow(
    TraceKey key,
    const std::function<void(std::int64_t row, std::span<const float> values)>& read) const
{
    const auto shape = shapeOf(key);
    const std::int64_t rows = shape ? (*shape)[0] : 0;
    if (rows == 0)
        return;
    checkRows(key, *shape, 0, rows);
    const std::int64_t width = std::max<std::int64_t>(shape->elementCount() / rows, 1);
    const std::int64_t most = std::clamp<std::int64_t>(kValuesAtATime / width, 1, rows);
    for (std::int64_t first = 0; first < rows; first += most) {
        const std::int64_t count = std::min(most, rows - first);
        const auto found = m_activations.find(key);
        const ActivationRows some =
            found != m_activations.end()
                ? ActivationRows{found->second, rowsOf(*found->second, first, count)}
                : owned(m_omitted->rows(key, first, count));
        for (std::int64_t row = 0; row < count; ++row)
            read(first + row, some[row]);
    }
}

std::vector<TraceKey> Trace::patternKeys() const
{
    std::vector<TraceKey> keys;
    for (const auto& [key, tensor] : m_activations)
        if (isPattern(key.site))
            keys.push_back(key);
    for (const auto& [key, attention] : m_kept)
        keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

int Trace::headsOf(TraceKey pattern) const
{
    if (const auto kept = m_kept.find(pattern); kept != m_kept.end())
        return static_cast<int>(kept->second->heads());
    const auto found = m_activations.find(pattern);
    return found == m_activations.end() ? 0 : static_cast<int>(found->second->shape()[0]);
}

std::vector<AttentionKind> Trace::attentionKinds() const
{
    std::vector<AttentionKind> kinds;
    for (const AttentionKind kind : kAttentionKinds)
        if (layerCount(kind) > 0)
            kinds.push_back(kind);
    return kinds;
}

int Trace::layerCount(AttentionKind kind) const
{
    int count = 0;
    for (const TraceKey key : patternKeys())
        if (attentionOf(key) == kind)
            count = std::max(count, key.layer + 1);
    return count;
}

int Trace::headCount(AttentionKind kind) const
{
    int count = 0;
    for (const TraceKey key : patternKeys())
        if (attentionOf(key) == kind)
            count = std::max(count, headsOf(key));
    return count;
}

const TokenSequence& Trace::queryTokens(AttentionKind kind) const
{
    return kind == AttentionKind::EncoderSelf ? m_source : m_tokens;
}

const TokenSequence& Trace::keyTokens(AttentionKind kind) const
{
    const bool ofSource = kind == AttentionKind::EncoderSelf || kind == AttentionKind::Cross;
    return ofSource ? m_source : m_tokens;
}

std::size_t Trace::byteCount() const
{
    std::size_t bytes = bytesOf(m_tokens) + bytesOf(m_source);
    for (const auto& [key, tensor] : m_activations)
        bytes += tensor->size() * sizeof(float);
    for (const auto& [key, attention] : m_kept)
        bytes += attention->byteCount();
    return bytes;
}

} // namespace headscope
