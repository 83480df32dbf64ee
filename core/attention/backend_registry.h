#pragma once

#include "core/attention/attention_backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Properties of a device that attention can run on, as plain values.
struct DeviceFacts
{
    std::string id;       ///< Value of --device: "cpu", "opencl:0".
    std::string name;     ///< Name such as "NVIDIA H100" or "cpu-haswell-AMD EPYC".
    std::string platform; ///< "Portable Computing Language"; empty for the CPU
    std::string version;  ///< Driver and language versions, for display.
    bool isGpu = false;
    bool isCpu = false; ///< True for an OpenCL device that computes on the processor.
    int computeUnits = 1;
    std::uint64_t memoryBytes = 0;
    bool sharesHostMemory = true;
};

/// Explains why "auto" does not use a device of CPU kind.
std::string whyUnused(const DeviceFacts& facts);

struct BackendEntry
{
    DeviceFacts facts;
    std::function<std::unique_ptr<AttentionBackend>()> create; ///< May throw BackendError.
};

class SharedMeasurements;
struct MeasurementStore;

/// Devices of this machine. gpu adds its own; core knows only "cpu" and "reference". Each worker
/// creates its own instance: a backend serves one thread.
class BackendRegistry
{
public:
    BackendRegistry(); ///< Contains "cpu" and "reference".

    void add(BackendEntry entry);

    const std::vector<BackendEntry>& entries() const { return m_entries; }

    /// Creates a backend for `choice`: "auto", "cpu", "reference", "opencl" (the best OpenCL
    /// device) or "opencl:N". Every device but the CPU is wrapped in FallbackAttention; "auto" is
    /// AutoAttention, which leaves an OpenCL device of CPU kind alone: its driver takes more memory
    /// than the program and computes no faster than "cpu". Throws Error listing the choices for an unknown one.
    std::unique_ptr<AttentionBackend> create(const std::string& choice) const;

    /// Sets where "auto" stores its measurements between sessions. Call it after the last add;
    /// existing instances do not see it. Without it, measurements last as long as the registry.
    void setMeasurementStore(MeasurementStore store);

private:
    const BackendEntry* bestDevice() const;

    std::vector<BackendEntry> m_entries;
    /// Measurements of the best device; null without one.
    std::shared_ptr<SharedMeasurements> m_measurements;
};

} // namespace headscope
