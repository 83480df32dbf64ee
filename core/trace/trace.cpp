#include "core/trace/trace.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

bool isPatternOf(TraceKey key, Stack stack)
{
    return key.stack == stack && (key.site == Site::Pattern || key.site == Site::CrossPattern);
}

std::size_t bytesOf(const TokenSequence& sequence)
{
    return sequence.text.size() + sequence.tokens.size() * sizeof(Token);
}

} // namespace

Trace::Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source)
    : m_tokens(std::move(tokens))
    , m_source(std::move(source))
    , m_activations(std::move(activations))
    , m_info(std::move(info))
{
}

std::shared_ptr<const Tensor> Trace::find(TraceKey key) const
{
    const auto found = m_activations.find(key);
    return found == m_activations.end() ? nullptr : found->second;
}

int Trace::layerCount(Stack stack) const
{
    int count = 0;
    for (const auto& [key, tensor] : m_activations)
        if (isPatternOf(key, stack))
            count = std::max(count, key.layer + 1);
    return count;
}

int Trace::headCount(Stack stack) const
{
    for (const auto& [key, tensor] : m_activations)
        if (isPatternOf(key, stack))
            return static_cast<int>(tensor->shape()[0]);
    return 0;
}

std::size_t Trace::byteCount() const
{
    std::size_t bytes = bytesOf(m_tokens) + bytesOf(m_source);
    for (const auto& [key, tensor] : m_activations)
        bytes += tensor->size() * sizeof(float);
    return bytes;
}

} // namespace headscope
