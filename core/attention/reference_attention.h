#pragma once

#include "core/attention/attention_backend.h"

namespace headscope {

/// Attention exactly as in the formulas: plain loops, sums in double. Slow; the reference for every
/// other backend.
class ReferenceAttention : public AttentionBackend
{
public:
    std::string_view name() const override { return "reference"; }

    std::string describe() const override { return "CPU: plain reference loops"; }

    bool supports(const AttentionInputs&) const override { return true; }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;
};

} // namespace headscope
