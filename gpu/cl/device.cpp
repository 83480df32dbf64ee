#include "gpu/cl/device.h"

#include "core/base/error.h"
#include "gpu/cl/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <tuple>
#include <unistd.h>

namespace headscope::gpu {

namespace {

template<class Value>
Value fact(cl_device_id device, cl_device_info which)
{
    Value value{};
    check(clGetDeviceInfo(device, which, sizeof value, &value, nullptr), "clGetDeviceInfo");
    return value;
}

std::string trimmed(std::string text)
{
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
    while (!text.empty() && isSpace(text.back()))
        text.pop_back();
    text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), isSpace));
    return text;
}

std::string textFact(cl_device_id device, cl_device_info which)
{
    std::size_t size = 0;
    check(clGetDeviceInfo(device, which, 0, nullptr, &size), "clGetDeviceInfo");
    std::string text(size, '\0');
    check(clGetDeviceInfo(device, which, size, text.data(), nullptr), "clGetDeviceInfo");
    return trimmed(std::move(text));
}

std::string platformName(cl_platform_id platform)
{
    std::size_t size = 0;
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size), "clGetPlatformInfo");
    std::string text(size, '\0');
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, text.data(), nullptr),
          "clGetPlatformInfo");
    return trimmed(std::move(text));
}

DeviceFacts commonFacts(cl_device_id device, cl_platform_id platform)
{
    const auto type = fact<cl_device_type>(device, CL_DEVICE_TYPE);
    DeviceFacts facts;
    facts.name = textFact(device, CL_DEVICE_NAME);
    facts.platform = platformName(platform);
    facts.version = textFact(device, CL_DEVICE_VERSION);
    facts.isGpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    facts.isCpu = !facts.isGpu && (type & CL_DEVICE_TYPE_CPU) != 0;
    facts.computeUnits = static_cast<int>(fact<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
    facts.memoryBytes = fact<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    facts.sharesHostMemory = fact<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
    return facts;
}

OpenClFacts factsOf(cl_device_id device, cl_platform_id platform)
{
    OpenClFacts facts;
    facts.common = commonFacts(device, platform);
    facts.isCpu = (fact<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    facts.localMemoryBytes = fact<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
    facts.maxBufferBytes = fact<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    facts.maxWorkGroup = fact<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    facts.floatVectorWidth =
        static_cast<int>(fact<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
    facts.languageVersion = textFact(device, CL_DEVICE_OPENCL_C_VERSION);
    facts.driverVersion = textFact(device, CL_DRIVER_VERSION);
    return facts;
}

bool isUsable(cl_device_id device)
{
    return fact<cl_bool>(device, CL_DEVICE_AVAILABLE) == CL_TRUE &&
           fact<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) == CL_TRUE;
}

std::vector<cl_platform_id> platforms()
{
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
        return {};
    std::vector<cl_platform_id> found(count);
    if (clGetPlatformIDs(count, found.data(), nullptr) != CL_SUCCESS)
        return {};
    return found;
}

std::vector<cl_device_id> devicesOf(cl_platform_id platform)
{
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
        return {};
    std::vector<cl_device_id> found(count);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr) != CL_SUCCESS)
        return {};
    return found;
}

void addDevice(std::vector<OpenClDevice>& found, cl_device_id device, cl_platform_id platform)
{
    try {
        if (!isUsable(device))
            return;
        OpenClDevice entry{device, factsOf(device, platform)};
        entry.facts.common.id = "opencl:" + std::to_string(found.size());
        found.push_back(std::move(entry));
    } catch (const BackendError&) {
        return; // one broken driver must not hide the others
    }
}

auto rank(const OpenClFacts& facts)
{
    return std::tuple(facts.common.isGpu, !facts.isCpu, !facts.common.sharesHostMemory,
                      facts.common.computeUnits, facts.common.memoryBytes);
}

std::string reasonFor(const std::vector<OpenClFacts>& devices, std::size_t best)
{
    if (devices.size() == 1)
        return "the only OpenCL device";
    const auto isGpu = [](const OpenClFacts& facts) { return facts.common.isGpu; };
    if (devices[best].common.isGpu && !std::all_of(devices.begin(), devices.end(), isGpu))
        return "a GPU is preferred to other devices";
    return "the most powerful of " + std::to_string(devices.size()) + " OpenCL devices";
}

} // namespace

std::vector<OpenClDevice> findDevices()
{
    prepareEnvironment();
    std::vector<OpenClDevice> found;
    for (cl_platform_id platform : platforms()) {
        for (cl_device_id device : devicesOf(platform))
            addDevice(found, device, platform);
    }
    return found;
}

std::optional<DeviceChoice> chooseDevice(const std::vector<OpenClFacts>& devices,
                                         std::string_view wanted)
{
    if (wanted != "opencl") {
        for (std::size_t index = 0; index < devices.size(); ++index) {
            if (devices[index].common.id == wanted)
                return DeviceChoice{index, "selected by name"};
        }
        return std::nullopt;
    }
    const auto best = std::max_element(
        devices.begin(), devices.end(),
        [](const OpenClFacts& a, const OpenClFacts& b) { return rank(a) < rank(b); });
    if (best == devices.end())
        return std::nullopt;
    const std::size_t index = best - devices.begin();
    return DeviceChoice{index, reasonFor(devices, index)};
}

std::unique_lock<std::mutex> takeTurn(const OpenClFacts& facts)
{
    static std::mutex mutex; // one per process, like the list that it protects
    if (facts.common.platform != "Portable Computing Language")
        return {};
    return std::unique_lock(mutex);
}

std::string syntheticTopology(long processors, std::uint64_t memoryBytes)
{
    return fmt::format("node:1(memory={}) core:{} pu:1", memoryBytes, std::max(processors, 1L));
}

void prepareEnvironment()
{
    static std::once_flag once;
    std::call_once(once, [] {
        // Without it the worker threads of PoCL inherit the affinity of the first caller and often
        // share one core.
        setenv("POCL_AFFINITY", "1", /*overwrite=*/0);
        // Where /sys is not mounted (a bare chroot), PoCL's hwloc finds no memory and ends the
        // process; it accepts a description instead.
        if (!std::filesystem::exists("/sys/devices/system/cpu")) {
            const auto bytes = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L)) *
                               static_cast<std::uint64_t>(std::max(sysconf(_SC_PAGESIZE), 1L));
            const std::string topology = syntheticTopology(sysconf(_SC_NPROCESSORS_ONLN), bytes);
            setenv("HWLOC_SYNTHETIC", topology.c_str(), /*overwrite=*/0);
        }
    });
}

} // namespace headscope::gpu
