#pragma once

#include "core/attention/backend_registry.h"
#include "gpu/cl/opencl.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::gpu {

/// What the kernels' choice and limits depend on, as plain values.
struct OpenClFacts
{
    DeviceFacts common;
    bool isCpu = false;
    std::uint64_t localMemoryBytes = 0;
    std::uint64_t maxBufferBytes = 0;
    std::size_t maxWorkGroup = 1;
    int floatVectorWidth = 1;    ///< floats in a native vector: 16 with AVX-512, 1 on most GPUs
    std::string languageVersion; ///< "OpenCL C 1.2 ..."
    std::string driverVersion;
};

struct OpenClDevice
{
    cl_device_id id = nullptr;
    OpenClFacts facts;
};

/// Every usable device of every platform, in the order of the drivers; their ids are "opencl:0",
/// ... Empty where there is no platform. A device that does not answer is left out.
std::vector<OpenClDevice> findDevices();

struct DeviceChoice
{
    std::size_t index = 0;
    std::string reason; ///< "a GPU comes before a CPU device", for the status line
};

/// `wanted`: "opencl" (the best) or the id of one device. Empty when there is none.
/// GPUs come before CPU devices, memory of their own before shared, then more compute units.
std::optional<DeviceChoice> chooseDevice(const std::vector<OpenClFacts>& devices,
                                         std::string_view wanted = "opencl");

/// To be held from the first launch to the end of clFinish. It locks on PoCL alone, whose commands
/// find the code of their kernel by its name and local size when they end, though one kernel may
/// have several codes for grids of different sizes (3.1, pocl_release_dlhandle_cache): where two
/// commands of one kernel overlap, one lets go of the other's and the process ends. They would
/// share the same processors anyway.
std::unique_lock<std::mutex> takeTurn(const OpenClFacts& facts);

/// What hwloc, which PoCL asks, is told of a machine whose /sys is not mounted.
std::string syntheticTopology(long processors, std::uint64_t memoryBytes);

/// Settings that drivers read from the environment; never overrides what is set. findDevices()
/// calls this before the first OpenCL call of the process.
void prepareEnvironment();

} // namespace headscope::gpu
