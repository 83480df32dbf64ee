#pragma once

#include "core/attention/cpu_attention.h"

#include <memory>
#include <string>

namespace headscope {

/// A device with the CPU as fallback. Calls that the device declines run on the CPU. After the
/// first BackendError the device is no longer used: that call is recomputed on the CPU, and so is
/// every later one. describe() says which and why.
class FallbackAttention : public AttentionBackend
{
public:
    explicit FallbackAttention(std::unique_ptr<AttentionBackend> primary);

    std::string_view name() const override { return m_primary->name(); }

    std::string describe() const override;

    bool supports(const AttentionInputs&) const override { return true; }

    /// False when the last call ran on the CPU.
    bool ranOnDevice() const { return !m_declined && !hasFailed(); }

    /// True permanently once the device has failed.
    bool hasFailed() const { return !m_failure.empty(); }

    /// Error of the device as a sentence; "" before a failure.
    const std::string& failure() const { return m_failure; }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;

    template<class Call>
    void run(const AttentionInputs& inputs, Call call);

    std::unique_ptr<AttentionBackend> m_primary;
    CpuAttention m_cpu;
    std::string m_failure;
    bool m_declined = false; ///< True when the device declined the last call.
};

} // namespace headscope
