#pragma once

#include "core/attention/attention_backend.h"
#include "gpu/attention/attention_call.h"
#include "gpu/attention/kernel_library.h"
#include "gpu/attention/operand_memory.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headscope::gpu {

struct OpenClOptions
{
    /// True: the first call with a new head size waits for its kernels. False: supports() returns
    /// false until they are ready, so that a window never waits; results come from another backend
    /// until then.
    bool waitsForKernels = true;
    std::optional<KernelFamily> family; ///< Chosen by device type unless given.
    std::optional<MemoryMode> memory;   ///< Chosen by device and size unless given.
};

/// Attention on one OpenCL device. Has its own queue; shares programs with other instances through
/// the library. One instance per thread.
class OpenClAttention final : public AttentionBackend
{
public:
    explicit OpenClAttention(std::shared_ptr<KernelLibrary> library, OpenClOptions options = {});
    ~OpenClAttention() override;

    std::string_view name() const override { return "opencl"; }

    std::string describe() const override;
    bool supports(const AttentionInputs& inputs) const override;

    /// Starts building the programs for attention with these head sizes, for every length, and
    /// returns.
    void warmUp(std::int64_t headDim, std::int64_t valueDim, bool withBackward = false);

    /// True once forward on these operands does not have to wait for a build (also if it failed).
    bool isReady(const AttentionInputs& inputs) const;

    /// Program that serves these operands.
    ProgramSpec programFor(const AttentionInputs& inputs, bool backward = false) const;

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;

    cl_kernel kernel(const ProgramSpec& spec, const std::string& name);
    CallResources resources(const AttentionInputs& inputs, bool backward);

    MemoryMode memoryMode() const;

    std::shared_ptr<KernelLibrary> m_library;
    OpenClOptions m_options;
    KernelFamily m_family;
    Queue m_queue;
    std::map<std::pair<ProgramSpec, std::string>, Kernel> m_kernels;
    std::map<ProgramSpec, ProgramPtr> m_programs;
    ScratchBuffers m_scratch;
};

} // namespace headscope::gpu
