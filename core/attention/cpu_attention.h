#pragma once

#include "core/attention/reference_attention.h"

namespace headscope {

/// Attention on the processor.
class CpuAttention : public AttentionBackend
{
public:
    std::string_view name() const override { return "cpu"; }

    std::string describe() const override { return "CPU"; }

    bool supports(const AttentionInputs&) const override { return true; }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;

    ReferenceAttention m_plain;
};

} // namespace headscope
