#include "gpu/cl/status.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::gpu {

namespace {

#define HS_STATUS(name)                                                                            \
    std::pair                                                                                      \
    {                                                                                              \
        name, #name                                                                                \
    }
constexpr std::array kNames{
    HS_STATUS(CL_SUCCESS),
    HS_STATUS(CL_DEVICE_NOT_FOUND),
    HS_STATUS(CL_DEVICE_NOT_AVAILABLE),
    HS_STATUS(CL_COMPILER_NOT_AVAILABLE),
    HS_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    HS_STATUS(CL_OUT_OF_RESOURCES),
    HS_STATUS(CL_OUT_OF_HOST_MEMORY),
    HS_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE),
    HS_STATUS(CL_MEM_COPY_OVERLAP),
    HS_STATUS(CL_IMAGE_FORMAT_MISMATCH),
    HS_STATUS(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    HS_STATUS(CL_BUILD_PROGRAM_FAILURE),
    HS_STATUS(CL_MAP_FAILURE),
    HS_STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    HS_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    HS_STATUS(CL_COMPILE_PROGRAM_FAILURE),
    HS_STATUS(CL_LINKER_NOT_AVAILABLE),
    HS_STATUS(CL_LINK_PROGRAM_FAILURE),
    HS_STATUS(CL_DEVICE_PARTITION_FAILED),
    HS_STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    HS_STATUS(CL_INVALID_VALUE),
    HS_STATUS(CL_INVALID_DEVICE_TYPE),
    HS_STATUS(CL_INVALID_PLATFORM),
    HS_STATUS(CL_INVALID_DEVICE),
    HS_STATUS(CL_INVALID_CONTEXT),
    HS_STATUS(CL_INVALID_QUEUE_PROPERTIES),
    HS_STATUS(CL_INVALID_COMMAND_QUEUE),
    HS_STATUS(CL_INVALID_HOST_PTR),
    HS_STATUS(CL_INVALID_MEM_OBJECT),
    HS_STATUS(CL_INVALID_BINARY),
    HS_STATUS(CL_INVALID_BUILD_OPTIONS),
    HS_STATUS(CL_INVALID_PROGRAM),
    HS_STATUS(CL_INVALID_PROGRAM_EXECUTABLE),
    HS_STATUS(CL_INVALID_KERNEL_NAME),
    HS_STATUS(CL_INVALID_KERNEL_DEFINITION),
    HS_STATUS(CL_INVALID_KERNEL),
    HS_STATUS(CL_INVALID_ARG_INDEX),
    HS_STATUS(CL_INVALID_ARG_VALUE),
    HS_STATUS(CL_INVALID_ARG_SIZE),
    HS_STATUS(CL_INVALID_KERNEL_ARGS),
    HS_STATUS(CL_INVALID_WORK_DIMENSION),
    HS_STATUS(CL_INVALID_WORK_GROUP_SIZE),
    HS_STATUS(CL_INVALID_WORK_ITEM_SIZE),
    HS_STATUS(CL_INVALID_GLOBAL_OFFSET),
    HS_STATUS(CL_INVALID_EVENT_WAIT_LIST),
    HS_STATUS(CL_INVALID_EVENT),
    HS_STATUS(CL_INVALID_OPERATION),
    HS_STATUS(CL_INVALID_BUFFER_SIZE),
    HS_STATUS(CL_INVALID_GLOBAL_WORK_SIZE),
    HS_STATUS(CL_INVALID_PROPERTY),
    HS_STATUS(CL_INVALID_COMPILER_OPTIONS),
    HS_STATUS(CL_INVALID_LINKER_OPTIONS),
    HS_STATUS(CL_INVALID_DEVICE_PARTITION_COUNT),
    std::pair{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef HS_STATUS

} // namespace

std::string statusName(cl_int status)
{
    const auto* found = std::find_if(kNames.begin(), kNames.end(),
                                     [status](const auto& entry) { return entry.first == status; });
    return found == kNames.end() ? std::to_string(status) : found->second;
}

void check(cl_int status, std::string_view call)
{
    if (status != CL_SUCCESS)
        throw BackendError(std::string(call) + " (" + statusName(status) + ")", status);
}

} // namespace headscope::gpu
