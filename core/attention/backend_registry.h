#pragma once

#include "core/attention/attention_backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Facts about something that attention can run on, as plain values.
struct DeviceFacts
{
    std::string id;       ///< "cpu", "opencl:0"; what --device takes
    std::string name;     ///< "NVIDIA H100", "cpu-haswell-AMD EPYC"
    std::string platform; ///< "Portable Computing Language"; empty for the CPU
    std::string version;  ///< driver and language versions, for people
    bool isGpu = false;
    int computeUnits = 1;
    std::uint64_t memoryBytes = 0;
    bool sharesHostMemory = true;
};

struct BackendEntry
{
    DeviceFacts facts;
    std::function<std::unique_ptr<AttentionBackend>()> create; ///< may throw BackendError
};

class SharedMeasurements;
struct MeasurementStore;

/// The devices of this machine. gpu adds its own; core knows only "cpu" and "reference".
/// Workers create their own instance each: a backend serves one thread.
class BackendRegistry
{
public:
    BackendRegistry(); ///< with "cpu" and "reference"

    void add(BackendEntry entry);

    const std::vector<BackendEntry>& entries() const { return m_entries; }

    /// `choice`: "auto", "cpu", "reference", "opencl" (the best OpenCL device) or "opencl:N".
    /// Every device but the CPU comes wrapped in FallbackAttention; "auto" is AutoAttention.
    /// Throws Error naming the choices for one that does not exist.
    std::unique_ptr<AttentionBackend> create(const std::string& choice) const;

    /// Where "auto" keeps what it measured between runs. Call it after the last add; instances made
    /// before do not see it. Without it, measurements last as long as the registry.
    void setMeasurementStore(MeasurementStore store);

private:
    const BackendEntry* bestDevice() const;

    std::vector<BackendEntry> m_entries;
    std::shared_ptr<SharedMeasurements> m_measurements; ///< of the best device; null without one
};

} // namespace headscope
