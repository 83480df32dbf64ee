#include "app/commands/command.h"

#include "app/commands/device_measurements.h"

#ifdef HEADSCOPE_OPENCL
#include "gpu/attention/register_devices.h"
#endif

namespace headscope::app {

const BackendRegistry& CommandContext::registry()
{
    if (!m_registry) {
        m_registry.emplace();
#ifdef HEADSCOPE_OPENCL
        gpu::registerOpenClDevicesLazily(*m_registry);
#endif
        m_registry->setMeasurementStore(cachedMeasurements());
    }
    return *m_registry;
}

BackendRegistry CommandContext::allDevices()
{
    BackendRegistry registry;
#ifdef HEADSCOPE_OPENCL
    gpu::registerOpenClDevices(registry);
#endif
    return registry;
}

void addModelOption(CLI::App& command, std::string& model)
{
    command.add_option("--model", model,
                       "builtin:NAME, a GGUF file, a checkpoint, the folder of a model or of a "
                       "training run (default: the first built-in model)");
}

void addDeviceOption(CLI::App& command, std::string& device)
{
    command.add_option("--device", device,
                       "Device for attention: auto, cpu, opencl or opencl:INDEX (default: auto)");
}

} // namespace headscope::app
