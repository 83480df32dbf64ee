#include "core/attention/cpu_attention.h"

namespace headscope {

void CpuAttention::computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    m_plain.forward(inputs, outputs);
}

void CpuAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                   const AttentionGradients& gradients)
{
    m_plain.backward(inputs, saved, gradients);
}

} // namespace headscope
