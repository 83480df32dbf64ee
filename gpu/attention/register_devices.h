#pragma once

#include "core/attention/backend_registry.h"
#include "gpu/attention/opencl_attention.h"

namespace headscope::gpu {

/// Adds one entry per OpenCL device: "opencl:0", ... Queries the devices, builds nothing. Adds
/// nothing on a machine without OpenCL. `options` are those of every backend that an entry creates.
void registerOpenClDevices(BackendRegistry& registry, OpenClOptions options = {});

} // namespace headscope::gpu
