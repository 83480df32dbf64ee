#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// A graphics card of this machine, and the Debian package with its OpenCL driver.
struct CardDriver
{
    std::string maker; ///< For example "NVIDIA".
    std::string package;
};

/// The makers of the cards below `folder`, each once; those without an OpenCL driver in Debian are
/// left out. Empty on systems without such a folder.
std::vector<CardDriver> cardDrivers(const std::filesystem::path& folder = "/sys/class/drm");

} // namespace headscope::app
