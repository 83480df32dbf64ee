#include "gpu/attention/operand_memory.h"

#include "gpu/cl/status.h"

#include <algorithm>

namespace headscope::gpu {

namespace {

/// Number of elements from the first to one past the last of a view.
std::size_t spanOf(const TensorView& view)
{
    std::int64_t last = 0;
    for (int axis = 0; axis < view.shape.rank(); ++axis)
        last += (view.shape[axis] - 1) * view.stride(axis);
    return last + 1;
}

KernelView stridesOf(const TensorView& view)
{
    return {0, view.stride(0), view.stride(1), view.stride(2)};
}

std::uintptr_t addressOf(const void* pointer)
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Calls each(row of the view, row of the dense array) for every row.
template<class Each>
void forEachRow(const TensorView& view, float* dense, Each&& each)
{
    const Shape& shape = view.shape;
    for (std::int64_t batch = 0; batch < shape[0]; ++batch) {
        for (std::int64_t head = 0; head < shape[1]; ++head) {
            for (std::int64_t token = 0; token < shape[2]; ++token) {
                const std::int64_t offset =
                    batch * view.stride(0) + head * view.stride(1) + token * view.stride(2);
                each(view.data + offset, dense);
                dense += shape[3];
            }
        }
    }
}

} // namespace

cl_mem ScratchBuffers::get(cl_context context, const std::string& name, std::size_t bytes)
{
    Entry& entry = m_buffers[name];
    if (entry.bytes < bytes || !entry.buffer) {
        entry.buffer.reset();
        entry.bytes = 0;
        entry.buffer = createBuffer(context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 64));
        entry.bytes = bytes;
    }
    return entry.buffer.get();
}

OperandMemory::OperandMemory(cl_context context, cl_command_queue queue, MemoryMode mode,
                             ScratchBuffers& scratch)
    : m_context(context)
    , m_queue(queue)
    , m_mode(mode)
    , m_scratch(scratch)
{
    m_operands.reserve(16);
    m_regions.reserve(16);
}

OperandMemory::~OperandMemory()
{
    if (!m_isDone)
        clFinish(m_queue);
    unmapAll();
}

OperandMemory::Id OperandMemory::read(const std::string& name, const TensorView& view)
{
    Operand operand;
    operand.name = name;
    operand.view = view;
    operand.byteCount = spanOf(view) * sizeof(float);
    m_operands.push_back(std::move(operand));
    return m_operands.size() - 1;
}

OperandMemory::Id OperandMemory::write(const std::string& name, const MutableTensorView& view)
{
    const Id id = read(name, view);
    m_operands[id].isWritten = true;
    return id;
}

OperandMemory::Id OperandMemory::readBytes(const std::string& name, const std::uint8_t* bytes,
                                           std::size_t count)
{
    Operand operand;
    operand.name = name;
    operand.bytes = bytes;
    operand.byteCount = count;
    m_operands.push_back(std::move(operand));
    return m_operands.size() - 1;
}

void OperandMemory::upload()
{
    if (m_mode == MemoryMode::Shared) {
        wrapHostMemory();
        return;
    }
    for (Operand& operand : m_operands)
        copyIn(operand);
}

Placed OperandMemory::placed(Id operand) const
{
    return m_operands[operand].placed;
}

// Operands often interleave in memory (one matrix contains queries, keys and values). Buffers over
// overlapping host memory are undefined, so overlapping spans become one buffer with offsets.
void OperandMemory::wrapHostMemory()
{
    std::vector<Region> spans;
    for (const Operand& operand : m_operands) {
        const void* data = operand.bytes ? static_cast<const void*>(operand.bytes)
                                         : static_cast<const void*>(operand.view.data);
        spans.push_back({addressOf(data), addressOf(data) + operand.byteCount, operand.isWritten,
                         Buffer(), nullptr});
    }
    std::sort(spans.begin(), spans.end(),
              [](const Region& a, const Region& b) { return a.begin < b.begin; });
    for (Region& span : spans) {
        if (!m_regions.empty() && span.begin < m_regions.back().end) {
            m_regions.back().end = std::max(m_regions.back().end, span.end);
            m_regions.back().isWritten |= span.isWritten;
        } else {
            m_regions.push_back(std::move(span));
        }
    }
    for (Region& region : m_regions)
        region.buffer =
            createBuffer(m_context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                         region.end - region.begin, reinterpret_cast<void*>(region.begin));
    for (Operand& operand : m_operands) {
        const Region& region = regionOf(operand);
        operand.placed.buffer = region.buffer.get();
        if (operand.bytes) {
            operand.placed.view.offset =
                static_cast<cl_long>(addressOf(operand.bytes) - region.begin);
        } else {
            operand.placed.view = stridesOf(operand.view);
            operand.placed.view.offset =
                static_cast<cl_long>((addressOf(operand.view.data) - region.begin) / sizeof(float));
        }
    }
}

OperandMemory::Region& OperandMemory::regionOf(const Operand& operand)
{
    const void* data = operand.bytes ? static_cast<const void*>(operand.bytes)
                                     : static_cast<const void*>(operand.view.data);
    const auto after = std::upper_bound(
        m_regions.begin(), m_regions.end(), addressOf(data),
        [](std::uintptr_t address, const Region& region) { return address < region.begin; });
    return *std::prev(after);
}

void OperandMemory::copyIn(Operand& operand)
{
    const void* source = operand.bytes;
    std::size_t bytes = operand.byteCount;
    if (!operand.bytes) {
        bytes = static_cast<std::size_t>(operand.view.shape.elementCount()) * sizeof(float);
        const TensorView dense(operand.view.data, operand.view.shape);
        operand.placed.view = stridesOf(dense);
        source = operand.view.data;
        if (!operand.view.isContiguous()) {
            operand.staging.resize(bytes / sizeof(float));
            source = operand.staging.data();
        }
    }
    operand.placed.buffer = m_scratch.get(m_context, operand.name, bytes);
    if (operand.isWritten)
        return;
    const std::size_t width = operand.view.shape.back();
    if (!operand.staging.empty())
        forEachRow(operand.view, operand.staging.data(),
                   [width](const float* row, float* dense) { std::copy_n(row, width, dense); });
    HS_CL(clEnqueueWriteBuffer(m_queue, operand.placed.buffer, CL_FALSE, 0, bytes, source, 0,
                               nullptr, nullptr));
}

void OperandMemory::copyOut(Operand& operand)
{
    const auto bytes = static_cast<std::size_t>(operand.view.shape.elementCount()) * sizeof(float);
    float* target =
        operand.staging.empty() ? const_cast<float*>(operand.view.data) : operand.staging.data();
    HS_CL(clEnqueueReadBuffer(m_queue, operand.placed.buffer, CL_FALSE, 0, bytes, target, 0,
                              nullptr, nullptr));
}

void OperandMemory::download()
{
    for (Region& region : m_regions) {
        if (!region.isWritten)
            continue;
        cl_int status = CL_SUCCESS;
        region.mapped = clEnqueueMapBuffer(m_queue, region.buffer.get(), CL_FALSE, CL_MAP_READ, 0,
                                           region.end - region.begin, 0, nullptr, nullptr, &status);
        check(status, "clEnqueueMapBuffer");
    }
    if (m_mode == MemoryMode::Copied) {
        for (Operand& operand : m_operands) {
            if (operand.isWritten)
                copyOut(operand);
        }
    }
    HS_CL(clFinish(m_queue));
    m_isDone = true;
    for (Operand& operand : m_operands) {
        if (!operand.isWritten || operand.staging.empty())
            continue;
        const std::size_t width = operand.view.shape.back();
        forEachRow(operand.view, operand.staging.data(), [width](const float* row, float* dense) {
            std::copy_n(dense, width, const_cast<float*>(row));
        });
    }
}

void OperandMemory::unmapAll() noexcept
{
    for (Region& region : m_regions) {
        if (region.mapped)
            clEnqueueUnmapMemObject(m_queue, region.buffer.get(), region.mapped, 0, nullptr,
                                    nullptr);
        region.mapped = nullptr;
    }
}

} // namespace headscope::gpu
