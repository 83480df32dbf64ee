#pragma once

#include "gpu/cl/device.h"
#include "gpu/cl/handles.h"
#include "gpu/cl/program_cache.h"

#include <string>

namespace headscope::gpu {

struct BuiltProgram
{
    Program program;
    ProgramKey key;
    bool fromCache = false;
};

/// Compiles `source` for one device, or loads it from the cache. Throws BackendError with the first
/// lines of the build log.
BuiltProgram buildProgram(cl_context context, const OpenClDevice& device, std::string source,
                          std::string options, const ProgramCache& cache);

/// The build log with its places named as gpu/kernels/x.cl:LINE where a driver that ignores #line
/// (NVIDIA's) counts lines through the whole source as "<kernel>:LINE".
std::string namingFiles(const std::string& log, const std::string& source);

/// Stores a program that was compiled from source. Best called after the first launches: some
/// drivers compile only then. False when there is nothing to store or no cache.
bool keepProgram(const BuiltProgram& built, const ProgramCache& cache);

} // namespace headscope::gpu
