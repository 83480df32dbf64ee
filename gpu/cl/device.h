#pragma once

#include "core/attention/backend_registry.h"
#include "gpu/cl/opencl.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::gpu {

/// Device properties that the choice and limits of kernels depend on, as plain values.
struct OpenClFacts
{
    DeviceFacts common;
    bool isCpu = false;
    std::uint64_t localMemoryBytes = 0;
    std::uint64_t maxBufferBytes = 0;
    std::size_t maxWorkGroup = 1;
    int floatVectorWidth = 1;    ///< Floats per native vector: 16 with AVX-512, 1 on most GPUs.
    std::string languageVersion; ///< Text such as "OpenCL C 1.2 ...".
    std::string driverVersion;
};

struct OpenClDevice
{
    cl_device_id id = nullptr;
    OpenClFacts facts;
};

/// All usable devices of every platform, in the order of the drivers; their ids are "opencl:0", ...
/// Empty without a platform. A device that does not respond is left out.
std::vector<OpenClDevice> findDevices();

struct DeviceChoice
{
    std::size_t index = 0;
    std::string reason; ///< Reason for the status line: "a GPU is preferred to other devices".
};

/// Chooses `wanted`: "opencl" (the best) or the id of one device. Empty when there is none. GPUs
/// are preferred to CPU devices, dedicated memory to shared, then more compute units.
std::optional<DeviceChoice> chooseDevice(const std::vector<OpenClFacts>& devices,
                                         std::string_view wanted = "opencl");

/// Lock to be held from the first launch to the end of clFinish. It locks on PoCL only, whose
/// commands find the code of their kernel by its name and local size when they end, although one
/// kernel may have several versions for grids of different sizes (3.1,
/// pocl_release_dlhandle_cache): where two commands of one kernel overlap, one releases the other's
/// and the process ends. They would share the same processors anyway.
std::unique_lock<std::mutex> takeTurn(const OpenClFacts& facts);

/// Description for hwloc, as used by PoCL, of a machine whose /sys is not mounted.
std::string syntheticTopology(long processors, std::uint64_t memoryBytes);

/// Sets environment variables that drivers read; never overrides existing ones. findDevices() calls
/// this before the first OpenCL call of the process.
void prepareEnvironment();

} // namespace headscope::gpu
