#include "gpu/attention/register_devices.h"

#include "core/base/error.h"
#include "gpu/cl/drivers.h"

#include <mutex>
#include <thread>

namespace headscope::gpu {

namespace {

std::shared_ptr<KernelLibrary> libraryOf(OpenClDevice device)
{
    return std::make_shared<KernelLibrary>(std::move(device), ProgramCache::defaultFolder());
}

/// Library of the first device, found when it is first used.
class FirstDevice
{
public:
    std::shared_ptr<KernelLibrary> library()
    {
        const std::lock_guard lock(m_mutex);
        if (m_library)
            return m_library;
        std::vector<OpenClDevice> devices = findDevices();
        if (devices.empty())
            throw BackendError("PoCL reports no device", 0, "OpenCL");
        m_library = libraryOf(std::move(devices.front()));
        return m_library;
    }

private:
    std::mutex m_mutex;
    std::shared_ptr<KernelLibrary> m_library;
};

DeviceFacts factsOfPocl()
{
    DeviceFacts facts;
    facts.id = "opencl:0";
    facts.name = "PoCL";
    facts.platform = "Portable Computing Language";
    facts.isCpu = true;
    facts.computeUnits = static_cast<int>(std::thread::hardware_concurrency());
    return facts;
}

} // namespace

void registerOpenClDevices(BackendRegistry& registry, OpenClOptions options)
{
    for (OpenClDevice& device : findDevices()) {
        const DeviceFacts facts = device.facts.common;
        registry.add({facts,
                      [library = libraryOf(std::move(device)),
                       options]() -> std::unique_ptr<AttentionBackend> {
                          return std::make_unique<OpenClAttention>(library, options);
                      }});
    }
}

void registerOpenClDevicesLazily(BackendRegistry& registry, OpenClOptions options)
{
    if (!areAllPocl(registeredDrivers())) {
        registerOpenClDevices(registry, options);
        return;
    }
    registry.add(
        {factsOfPocl(),
         [first = std::make_shared<FirstDevice>(), options]() -> std::unique_ptr<AttentionBackend> {
             return std::make_unique<OpenClAttention>(first->library(), options);
         }});
}

} // namespace headscope::gpu
