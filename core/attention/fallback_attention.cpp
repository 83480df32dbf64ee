#include "core/attention/fallback_attention.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <utility>

namespace headscope {

FallbackAttention::FallbackAttention(std::unique_ptr<AttentionBackend> primary)
    : m_primary(std::move(primary))
{
    if (!m_primary)
        throw Error("FallbackAttention needs a device to fall back from");
}

std::string FallbackAttention::describe() const
{
    if (hasFailed())
        return fmt::format("CPU: {} failed ({})", m_primary->name(), m_failure);
    if (m_declined)
        return fmt::format("CPU: {} does not support this shape", m_primary->name());
    return m_primary->describe();
}

template<class Call>
void FallbackAttention::run(const AttentionInputs& inputs, Call call)
{
    if (!hasFailed()) {
        try {
            m_declined = !m_primary->supports(inputs);
            if (!m_declined) {
                call(*m_primary);
                return;
            }
        } catch (const BackendError& error) {
            m_failure = error.what();
        }
    }
    call(m_cpu);
}

void FallbackAttention::computeForward(const AttentionInputs& inputs,
                                       const AttentionOutputs& outputs)
{
    run(inputs, [&](AttentionBackend& backend) { backend.forward(inputs, outputs); });
}

void FallbackAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                        const AttentionGradients& gradients)
{
    run(inputs, [&](AttentionBackend& backend) { backend.backward(inputs, saved, gradients); });
}

} // namespace headscope
