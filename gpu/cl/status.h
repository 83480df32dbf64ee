#pragma once

#include "gpu/cl/opencl.h"

#include <string>
#include <string_view>

namespace headscope::gpu {

/// Name of a status: "CL_OUT_OF_RESOURCES" for -5; the number as text for one that OpenCL 1.2 does
/// not define.
std::string statusName(cl_int status);

/// Throws BackendError carrying the call's text and the name of its status, unless CL_SUCCESS.
void check(cl_int status, std::string_view call);

} // namespace headscope::gpu

/// Makes an OpenCL call that returns a status, and checks it.
#define HS_CL(call) ::headscope::gpu::check((call), #call)
