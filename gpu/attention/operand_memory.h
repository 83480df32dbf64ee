#pragma once

#include "core/tensor/tensor.h"
#include "gpu/attention/kernel_parameters.h"
#include "gpu/cl/handles.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::gpu {

/// Named buffers that outlive a call and only grow.
class ScratchBuffers
{
public:
    /// Buffer of at least `bytes`, with the contents left by its last user.
    cl_mem get(cl_context context, const std::string& name, std::size_t bytes);

private:
    struct Entry
    {
        Buffer buffer;
        std::size_t bytes = 0;
    };

    std::map<std::string, Entry> m_buffers;
};

enum class MemoryMode {
    Shared, ///< Kernels use the host's memory: no copy, any strides.
    Copied  ///< Operands are copied densely to persistent buffers.
};

/// An operand in device memory.
struct Placed
{
    cl_mem buffer = nullptr;
    KernelView view;
};

/// Operands of one call: declare all, upload(), launch kernels, download(). Destroying it before
/// the end waits for the queue, because commands may still access the caller's memory.
class OperandMemory
{
public:
    using Id = std::size_t;

    OperandMemory(cl_context context, cl_command_queue queue, MemoryMode mode,
                  ScratchBuffers& scratch);
    ~OperandMemory();
    OperandMemory(const OperandMemory&) = delete;
    OperandMemory& operator=(const OperandMemory&) = delete;

    /// Declares an operand to read. Views have four axes, the last one contiguous.
    Id read(const std::string& name, const TensorView& view);
    Id write(const std::string& name, const MutableTensorView& view);
    Id readBytes(const std::string& name, const std::uint8_t* bytes, std::size_t count);

    void upload();                   ///< Enqueues the transfers.
    Placed placed(Id operand) const; ///< Call it after upload().
    void download(); ///< Enqueues the transfers, waits for everything and writes the results.

private:
    struct Operand
    {
        std::string name;
        TensorView view; ///< Data is null for bytes.
        const std::uint8_t* bytes = nullptr;
        std::size_t byteCount = 0; ///< From the first to the last element.
        bool isWritten = false;
        Placed placed;
        std::vector<float> staging; ///< Staging of a copied operand whose rows are not dense.
    };

    struct Region
    {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        bool isWritten = false;
        Buffer buffer;
        void* mapped = nullptr;
    };

    void wrapHostMemory();
    void copyIn(Operand& operand);
    void copyOut(Operand& operand);
    Region& regionOf(const Operand& operand);
    void unmapAll() noexcept;

    cl_context m_context;
    cl_command_queue m_queue;
    MemoryMode m_mode;
    ScratchBuffers& m_scratch;
    std::vector<Operand> m_operands;
    std::vector<Region> m_regions; ///< Sorted, disjoint.
    bool m_isDone = false;
};

} // namespace headscope::gpu
