#pragma once

#include "core/attention/backend_registry.h"
#include "gpu/attention/opencl_attention.h"

namespace headscope::gpu {

/// Adds one entry per OpenCL device: "opencl:0", ... Queries the devices, builds nothing. Adds
/// nothing on a machine without OpenCL. `options` are those of every backend that an entry creates.
void registerOpenClDevices(BackendRegistry& registry, OpenClOptions options = {});

/// The same without loading a driver where PoCL is the only one (areAllPocl): then one entry,
/// "opencl:0", stands for its device and loads the driver when a backend is created.
void registerOpenClDevicesLazily(BackendRegistry& registry, OpenClOptions options = {});

} // namespace headscope::gpu
