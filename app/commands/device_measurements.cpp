#include "app/commands/device_measurements.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace headscope::app {

namespace {

constexpr std::uint64_t kMostBytes = 65'536;

/// Empty if neither variable names a folder.
std::filesystem::path measurementsPath()
{
    const auto folder = [](const char* variable) {
        const char* value = std::getenv(variable);
        return value ? std::filesystem::path(value) : std::filesystem::path();
    };
    std::filesystem::path cache = folder("XDG_CACHE_HOME");
    if (!cache.is_absolute() && folder("HOME").is_absolute())
        cache = folder("HOME") / ".cache";
    return cache.is_absolute() ? cache / "headscope" / "attention-times.txt"
                               : std::filesystem::path();
}

} // namespace

MeasurementStore cachedMeasurements()
{
    const std::filesystem::path path = measurementsPath();
    if (path.empty())
        return {};
    MeasurementStore store;
    store.load = [path]() -> std::optional<std::string> {
        try {
            return readFile(path, kMostBytes);
        } catch (const Error&) {
            return std::nullopt;
        }
    };
    store.save = [path](const std::string& text) {
        std::error_code ignored;
        std::filesystem::create_directories(path.parent_path(), ignored);
        try {
            writeAtomically(path, text);
        } catch (const Error&) { // a cache: without it the next start measures again
        }
    };
    return store;
}

void measureDevices(const BackendRegistry& registry, const std::stop_token& stop)
{
    const std::unique_ptr<AttentionBackend> backend = registry.create("auto");
    auto* const automatic = dynamic_cast<AutoAttention*>(backend.get());
    if (automatic != nullptr && !automatic->isMeasured())
        automatic->calibrate(stop);
}

} // namespace headscope::app
