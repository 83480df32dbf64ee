#include "gpu/attention/register_devices.h"

namespace headscope::gpu {

void registerOpenClDevices(BackendRegistry& registry, OpenClOptions options)
{
    for (OpenClDevice& device : findDevices()) {
        const DeviceFacts facts = device.facts.common;
        auto library =
            std::make_shared<KernelLibrary>(std::move(device), ProgramCache::defaultFolder());
        registry.add({facts, [library, options]() -> std::unique_ptr<AttentionBackend> {
                          return std::make_unique<OpenClAttention>(library, options);
                      }});
    }
}

} // namespace headscope::gpu
