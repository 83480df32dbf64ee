#pragma once

#include "core/attention/attention_backend.h"

namespace headscope::ui {

/// Non-owning wrapper that shares one backend between several tracers of the same thread. `backend`
/// must outlive it.
class BorrowedBackend : public AttentionBackend
{
public:
    explicit BorrowedBackend(AttentionBackend& backend) : m_backend(backend) {}

    std::string_view name() const override { return m_backend.name(); }

    std::string describe() const override { return m_backend.describe(); }

    bool supports(const AttentionInputs& inputs) const override
    {
        return m_backend.supports(inputs);
    }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        m_backend.forward(inputs, outputs);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        m_backend.backward(inputs, saved, gradients);
    }

    AttentionBackend& m_backend;
};

} // namespace headscope::ui
