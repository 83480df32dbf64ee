#include "core/trace/trace.h"

#include <algorithm>
#include <utility>

namespace headscope {

Trace::Trace(TokenSequence tokens, Activations activations, TraceInfo info)
    : m_tokens(std::move(tokens))
    , m_activations(std::move(activations))
    , m_info(std::move(info))
{
}

std::shared_ptr<const Tensor> Trace::find(TraceKey key) const
{
    const auto found = m_activations.find(key);
    return found == m_activations.end() ? nullptr : found->second;
}

int Trace::layerCount() const
{
    int count = 0;
    for (const auto& [key, tensor] : m_activations)
        if (key.site == Site::Pattern)
            count = std::max(count, key.layer + 1);
    return count;
}

int Trace::headCount() const
{
    for (const auto& [key, tensor] : m_activations)
        if (key.site == Site::Pattern)
            return static_cast<int>(tensor->shape()[0]);
    return 0;
}

std::size_t Trace::byteCount() const
{
    std::size_t bytes = m_tokens.text.size() + m_tokens.tokens.size() * sizeof(Token);
    for (const auto& [key, tensor] : m_activations)
        bytes += tensor->size() * sizeof(float);
    return bytes;
}

} // namespace headscope
