#include "gpu/cl/drivers.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace headscope::gpu {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUsualFolder = "/etc/OpenCL/vendors";

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

void addLines(const fs::path& file, std::vector<std::string>& drivers)
{
    std::ifstream stream(file);
    std::string word;
    while (stream >> word)
        drivers.push_back(word);
}

} // namespace

std::vector<std::string> driversIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ".icd")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> drivers;
    for (const fs::path& file : files)
        addLines(file, drivers);
    return drivers;
}

std::vector<std::string> registeredDrivers()
{
    std::vector<std::string> drivers;
    std::istringstream names(variable("OCL_ICD_FILENAMES"));
    for (std::string name; std::getline(names, name, ':');)
        if (!name.empty())
            drivers.push_back(name);
    const std::string vendors = variable("OCL_ICD_VENDORS");
    const fs::path place = vendors.empty() ? fs::path(kUsualFolder) : fs::path(vendors);
    std::error_code none;
    if (fs::is_directory(place, none)) {
        const std::vector<std::string> more = driversIn(place);
        drivers.insert(drivers.end(), more.begin(), more.end());
    } else if (place.extension() == ".icd") {
        addLines(place, drivers);
    } else {
        drivers.push_back(place.string()); // a library itself
    }
    return drivers;
}

bool areAllPocl(const std::vector<std::string>& drivers)
{
    if (drivers.empty() || !variable("POCL_DEVICES").empty())
        return false;
    return std::all_of(drivers.begin(), drivers.end(), [](const std::string& driver) {
        return fs::path(driver).filename().string().starts_with("libpocl");
    });
}

} // namespace headscope::gpu
