#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::gpu {

/// Libraries of the OpenCL drivers that the loader would load, read from its registration files
/// without loading any: those of OCL_ICD_FILENAMES, and the `*.icd` files of OCL_ICD_VENDORS or
/// /etc/OpenCL/vendors.
std::vector<std::string> registeredDrivers();

/// Libraries named by the `*.icd` files of a folder, in the order of their names.
std::vector<std::string> driversIn(const std::filesystem::path& folder);

/// True when every driver is PoCL, which computes on the processor: at least one driver, and no
/// other kind of device requested of PoCL (POCL_DEVICES).
bool areAllPocl(const std::vector<std::string>& drivers);

} // namespace headscope::gpu
