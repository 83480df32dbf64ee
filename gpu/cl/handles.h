#pragma once

#include "gpu/cl/opencl.h"

#include <cstddef>
#include <string>
#include <utility>

namespace headscope::gpu {

/// Owns one reference to an OpenCL object. Platforms and devices need no owner: they exist as long
/// as the process. Errors on release are ignored: nothing can be done about them.
template<class Object, class Release>
class Handle
{
public:
    Handle() = default;

    explicit Handle(Object object) : m_object(object) {}

    Handle(Handle&& other) noexcept : m_object(std::exchange(other.m_object, nullptr)) {}

    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    ~Handle() { reset(); }

    Handle& operator=(Handle&& other) noexcept
    {
        if (this != &other) {
            reset();
            m_object = std::exchange(other.m_object, nullptr);
        }
        return *this;
    }

    Object get() const { return m_object; }

    explicit operator bool() const { return m_object != nullptr; }

    void reset()
    {
        if (m_object)
            Release{}(std::exchange(m_object, nullptr));
    }

private:
    Object m_object = nullptr;
};

struct ReleaseObject
{
    void operator()(cl_context object) const { clReleaseContext(object); }

    void operator()(cl_command_queue object) const { clReleaseCommandQueue(object); }

    void operator()(cl_mem object) const { clReleaseMemObject(object); }

    void operator()(cl_program object) const { clReleaseProgram(object); }

    void operator()(cl_kernel object) const { clReleaseKernel(object); }

    void operator()(cl_event object) const { clReleaseEvent(object); }
};

using Context = Handle<cl_context, ReleaseObject>;
using Queue = Handle<cl_command_queue, ReleaseObject>;
using Buffer = Handle<cl_mem, ReleaseObject>;
using Program = Handle<cl_program, ReleaseObject>;
using Kernel = Handle<cl_kernel, ReleaseObject>;
using Event = Handle<cl_event, ReleaseObject>;

// All of these throw BackendError with the call and its status.
Context createContext(cl_device_id device);
Queue createQueue(cl_context context, cl_device_id device); ///< In-order queue.
Buffer createBuffer(cl_context context, cl_mem_flags flags, std::size_t bytes,
                    void* host = nullptr);
Kernel createKernel(cl_program program, const std::string& name);

void setArgument(cl_kernel kernel, cl_uint index, std::size_t bytes, const void* value);
void checkArgumentCount(cl_kernel kernel, std::size_t given);

/// Sets every argument of a kernel in the order of its declaration; a wrong number of arguments
/// throws.
template<class... Arguments>
void setArguments(cl_kernel kernel, const Arguments&... arguments)
{
    checkArgumentCount(kernel, sizeof...(arguments));
    cl_uint index = 0;
    (setArgument(kernel, index++, sizeof(arguments), &arguments), ...);
}

} // namespace headscope::gpu
