#pragma once

#include "core/attention/attention_backend.h"

#include <vector>

namespace headscope {

struct AttentionKernels;

/// Attention on the processor, in tiles: the complete pattern exists only where it is wanted. Uses
/// the widest vectors of the machine and, for large layers, all threads of parallelFor. The results
/// do not depend on the number of threads. Allocates only when a layer is larger than any before.
class CpuAttention : public AttentionBackend
{
public:
    CpuAttention();

    /// Uses the inner loops of one instruction set, see attentionKernelsFor.
    explicit CpuAttention(const AttentionKernels& kernels);

    std::string_view name() const override { return "cpu"; }

    std::string describe() const override;

    bool supports(const AttentionInputs&) const override { return true; }

    /// Memory that one thread holds between calls besides operands and results: tiles, packed keys
    /// and values.
    std::size_t workspaceBytes() const;

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;

    const AttentionKernels* m_kernels;
    std::vector<Tensor> m_workspaces; ///< Workspace of each part of parallelFor.
    Tensor m_sums;                    ///< Sums of backward's chunks.
};

} // namespace headscope
