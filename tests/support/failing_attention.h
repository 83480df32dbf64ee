#pragma once

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"

#include <chrono>
#include <thread>

namespace headscope::test {

/// A device that works until its calls run out: from then on every call writes rubbish and throws,
/// as one does that was unplugged between two commands.
class FailingAttention : public AttentionBackend
{
public:
    explicit FailingAttention(int callsBeforeFailure) : m_calls(callsBeforeFailure) {}

    std::string_view name() const override { return "device"; }

    std::string describe() const override { return "Device: made of paper"; }

    bool supports(const AttentionInputs& inputs) const override
    {
        return inputs.queries.shape[3] <= largestHead;
    }

    std::int64_t largestHead = 1000;
    int attempts = 0;                   ///< calls that reached the device
    std::chrono::milliseconds delay{0}; ///< of every call

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        spend(outputs.context);
        m_cpu.forward(inputs, outputs);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        spend(gradients.queries);
        m_cpu.backward(inputs, saved, gradients);
    }

    void spend(const MutableTensorView& target)
    {
        ++attempts;
        std::this_thread::sleep_for(delay);
        if (m_calls-- > 0)
            return;
        target.data[0] = 1e9F;
        throw BackendError("clEnqueueNDRangeKernel", -36);
    }

    int m_calls;
    CpuAttention m_cpu;
};

} // namespace headscope::test
