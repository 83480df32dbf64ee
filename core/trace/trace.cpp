#include "core/trace/trace.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kRememberedBytes = std::size_t{192} << 20;
constexpr int kAllHeads = -1;

bool isPattern(TraceKey key)
{
    return key.site == Site::Pattern || key.site == Site::CrossPattern;
}

std::size_t bytesOf(const TokenSequence& sequence)
{
    return sequence.text.size() + sequence.tokens.size() * sizeof(Token);
}

} // namespace

/// Cache of the patterns computed last, up to a total size; the newest one is cached whatever its
/// size.
class Trace::Remembered
{
public:
    /// Computes without the lock: a reader of one head does not wait for another thread's whole
    /// layer.
    std::shared_ptr<const Tensor> get(TraceKey key, int head, const RetainedAttention& kept)
    {
        if (const auto known = remembered(key, head))
            return known;
        const auto made = std::make_shared<const Tensor>(
            head == kAllHeads ? kept.pattern() : kept.headPattern(head));
        remember({key, head, made});
        return made;
    }

private:
    struct Entry
    {
        TraceKey key;
        int head;
        std::shared_ptr<const Tensor> pattern;
    };

    std::shared_ptr<const Tensor> remembered(TraceKey key, int head)
    {
        const std::lock_guard lock(m_mutex);
        const auto entry = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& one) {
            return one.key == key && one.head == head;
        });
        if (entry == m_entries.end())
            return nullptr;
        m_entries.splice(m_entries.begin(), m_entries, entry);
        return entry->pattern;
    }

    void remember(Entry entry)
    {
        std::list<Entry> forgotten; // freed after the lock is released
        const std::lock_guard lock(m_mutex);
        m_bytes += entry.pattern->size() * sizeof(float);
        m_entries.push_front(std::move(entry));
        while (m_bytes > kRememberedBytes && m_entries.size() > 1) {
            m_bytes -= m_entries.back().pattern->size() * sizeof(float);
            forgotten.splice(forgotten.begin(), m_entries, std::prev(m_entries.end()));
        }
    }

    std::mutex m_mutex;
    std::list<Entry> m_entries; ///< Newest first.
    std::size_t m_bytes = 0;
};

Trace::Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source,
             RetainedPatterns kept)
    : m_tokens(std::move(tokens))
    , m_source(std::move(source))
    , m_activations(std::move(activations))
    , m_info(std::move(info))
    , m_kept(std::move(kept))
    , m_remembered(m_kept.empty() ? nullptr : std::make_shared<Remembered>())
{
}

std::shared_ptr<const Tensor> Trace::find(TraceKey key) const
{
    if (const auto found = m_activations.find(key); found != m_activations.end())
        return found->second;
    const auto kept = m_kept.find(key);
    return kept == m_kept.end() ? nullptr : m_remembered->get(key, kAllHeads, *kept->second);
}

std::shared_ptr<const Tensor> Trace::findHead(TraceKey pattern, int head) const
{
    if (!isPattern(pattern) || head < 0 || head >= headsOf(pattern))
        return nullptr;
    if (const auto kept = m_kept.find(pattern); kept != m_kept.end())
        return m_remembered->get(pattern, head, *kept->second);
    const TensorView all = find(pattern)->view();
    Tensor one({all.shape[1], all.shape[2]});
    std::copy_n(all[head].data, one.size(), one.data());
    return std::make_shared<const Tensor>(std::move(one));
}

std::vector<TraceKey> Trace::patternKeys() const
{
    std::vector<TraceKey> keys;
    for (const auto& [key, tensor] : m_activations)
        if (isPattern(key))
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
