#include "gpu/cl/handles.h"

#include "core/base/error.h"
#include "gpu/cl/status.h"

#include <fmt/format.h>

namespace headscope::gpu {

Context createContext(cl_device_id device)
{
    cl_int status = CL_SUCCESS;
    Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
    check(status, "clCreateContext");
    return context;
}

Queue createQueue(cl_context context, cl_device_id device)
{
    cl_int status = CL_SUCCESS;
    Queue queue(clCreateCommandQueue(context, device, 0, &status));
    check(status, "clCreateCommandQueue");
    return queue;
}

Buffer createBuffer(cl_context context, cl_mem_flags flags, std::size_t bytes, void* host)
{
    cl_int status = CL_SUCCESS;
    Buffer buffer(clCreateBuffer(context, flags, bytes, host, &status));
    if (status != CL_SUCCESS)
        check(status, fmt::format("clCreateBuffer of {} bytes", bytes));
    return buffer;
}

Kernel createKernel(cl_program program, const std::string& name)
{
    cl_int status = CL_SUCCESS;
    Kernel kernel(clCreateKernel(program, name.c_str(), &status));
    if (status != CL_SUCCESS)
        check(status, fmt::format("clCreateKernel of {}", name));
    return kernel;
}

void setArgument(cl_kernel kernel, cl_uint index, std::size_t bytes, const void* value)
{
    const cl_int status = clSetKernelArg(kernel, index, bytes, value);
    if (status != CL_SUCCESS)
        check(status, fmt::format("clSetKernelArg {}", index));
}

void checkArgumentCount(cl_kernel kernel, std::size_t given)
{
    cl_uint expected = 0;
    HS_CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof expected, &expected, nullptr));
    if (expected != given)
        throw BackendError(fmt::format("clSetKernelArg for {} of {} arguments", given, expected),
                           CL_INVALID_KERNEL_ARGS);
}

} // namespace headscope::gpu
