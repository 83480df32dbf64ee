#pragma once

#include "core/attention/cpu_attention.h"

#include <memory>
#include <string>

namespace headscope {

/// A device with the CPU behind it. What the device declines runs on the CPU for that call. After
/// the first BackendError the device is not asked again: that call is computed whole on the CPU,
/// and so is every later one. describe() says which and why.
class FallbackAttention : public AttentionBackend
{
public:
    explicit FallbackAttention(std::unique_ptr<AttentionBackend> primary);

    std::string_view name() const override { return m_primary->name(); }

    std::string describe() const override;

    bool supports(const AttentionInputs&) const override { return true; }

    /// False when the last call went to the CPU.
    bool ranOnDevice() const { return !m_declined && !hasFailed(); }

    /// True once the device has failed; it stays so.
    bool hasFailed() const { return !m_failure.empty(); }

    /// What the device said when it failed, as a sentence for people; "" before.
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
    bool m_declined = false; ///< the last call
};

} // namespace headscope
