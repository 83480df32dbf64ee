#include "app/commands/card_drivers.h"

#include <algorithm>
#include <fstream>

namespace headscope::app {

namespace {

struct Maker
{
    const char* pciVendor; ///< As the kernel writes it.
    CardDriver driver;
};

const Maker kMakers[] = {
    {"0x10de", {"NVIDIA", "nvidia-opencl-icd"}},
    {"0x8086", {"Intel", "intel-opencl-icd"}},
    {"0x1002", {"AMD", "mesa-opencl-icd"}},
};

std::string firstWord(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::string word;
    stream >> word;
    return word;
}

} // namespace

std::vector<CardDriver> cardDrivers(const std::filesystem::path& folder)
{
    std::vector<std::string> vendors;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        vendors.push_back(firstWord(entry.path() / "device" / "vendor"));
    std::vector<CardDriver> drivers;
    for (const Maker& maker : kMakers)
        if (std::ranges::count(vendors, maker.pciVendor) > 0)
            drivers.push_back(maker.driver);
    return drivers;
}

} // namespace headscope::app
