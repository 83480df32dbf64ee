#pragma once

#include "core/attention/attention_geometry.h"
#include "gpu/attention/kernel_library.h"
#include "gpu/attention/operand_memory.h"

#include <array>
#include <functional>
#include <string>

namespace headscope::gpu {

/// Resources that a call takes from its backend.
struct CallResources
{
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    ScratchBuffers* scratch = nullptr;
    MemoryMode memory = MemoryMode::Copied;
    int computeUnits = 1;
    ProgramSpec spec;
    std::function<cl_kernel(const std::string&)> kernel;
};

// Each function enqueues every kernel of one call and waits once. Operands must be valid, supported
// and not empty. Throw BackendError.
void runForward(const CallResources& resources, const AttentionInputs& inputs,
                const AttentionOutputs& outputs);
void runBackward(const CallResources& resources, const AttentionInputs& inputs,
                 const AttentionSaved& saved, const AttentionGradients& gradients);

} // namespace headscope::gpu
