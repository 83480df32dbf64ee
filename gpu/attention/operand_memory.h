#pragma once

#include "core/tensor/tensor.h"
#include "gpu/attention/kernel_parameters.h"
#include "gpu/cl/handles.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::gpu {

/// Buffers that outlive a call and only grow, by name.
class ScratchBuffers
{
public:
    /// At least `bytes`; contents are what the last user left.
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
    Shared, ///< kernels work on the host's memory: no copy, any strides
    Copied  ///< operands travel densely to buffers that stay
};

/// An operand in device memory.
struct Placed
{
    cl_mem buffer = nullptr;
    KernelView view;
};

/// The operands of one call: announce all, upload(), launch kernels, download(). Destroying it
/// before the end waits for the queue, because commands may still look at the caller's memory.
class OperandMemory
{
public:
    using Id = std::size_t;

    OperandMemory(cl_context context, cl_command_queue queue, MemoryMode mode,
                  ScratchBuffers& scratch);
    ~OperandMemory();
    OperandMemory(const OperandMemory&) = delete;
    OperandMemory& operator=(const OperandMemory&) = delete;

    /// Views have four axes, the last one contiguous.
    Id read(const std::string& name, const TensorView& view);
    Id write(const std::string& name, const MutableTensorView& view);
    Id readBytes(const std::string& name, const std::uint8_t* bytes, std::size_t count);

    void upload();                   ///< enqueues
    Placed placed(Id operand) const; ///< after upload()
    void download();                 ///< enqueues, waits for everything, delivers

private:
    struct Operand
    {
        std::string name;
        TensorView view; ///< data null for bytes
        const std::uint8_t* bytes = nullptr;
        std::size_t byteCount = 0; ///< from the first to the last element
        bool isWritten = false;
        Placed placed;
        std::vector<float> staging; ///< of a copied operand whose rows are not dense
    };

    struct Region
    {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        bool isWritten = false;
        Buffer buffer;
        void* mapped = nullptr;
    };

    void share();
    void copyIn(Operand& operand);
    void copyOut(Operand& operand);
    Region& regionOf(const Operand& operand);
    void unmapAll() noexcept;

    cl_context m_context;
    cl_command_queue m_queue;
    MemoryMode m_mode;
    ScratchBuffers& m_scratch;
    std::vector<Operand> m_operands;
    std::vector<Region> m_regions; ///< sorted, disjoint
    bool m_isDone = false;
};

} // namespace headscope::gpu
