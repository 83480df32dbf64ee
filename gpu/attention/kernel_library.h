#pragma once

#include "gpu/attention/tuning.h"
#include "gpu/cl/program_builder.h"

#include <compare>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace headscope::gpu {

/// Properties that one program is compiled for.
struct ProgramSpec
{
    KernelFamily family = KernelFamily::Block;
    bool backward = false;
    std::int64_t headSpace = 0;  ///< Equal to rowSpace(head size).
    std::int64_t valueSpace = 0; ///< Equal to rowSpace(value size).
    Tuning tuning;

    auto operator<=>(const ProgramSpec&) const = default;
};

/// Space that kernels reserve for a row of `dim` floats: few sizes, so that few programs serve all.
std::int64_t rowSpace(std::int64_t dim);

using ProgramPtr = std::shared_ptr<const BuiltProgram>;

/// One device's context and compiled programs, shared by the backends of all threads. Programs are
/// built in the background, each at most once, and launched once so that the driver has finished
/// them.
class KernelLibrary
{
public:
    /// Cheap: the context is created with the first program. `extraOptions` are passed to every
    /// build.
    KernelLibrary(OpenClDevice device, std::filesystem::path cacheFolder,
                  std::string extraOptions = {});

    const OpenClDevice& device() const { return m_device; }

    cl_context context(); ///< Throws BackendError.

    /// Requests a program from any thread. The future holds the BackendError of a failed build.
    std::shared_future<ProgramPtr> request(const ProgramSpec& spec);

private:
    ProgramPtr build(const ProgramSpec& spec);
    void buildAndKeep(const ProgramSpec& spec, std::promise<ProgramPtr> program);

    OpenClDevice m_device;
    ProgramCache m_cache;
    std::string m_extraOptions;
    std::mutex m_mutex; ///< Guards the members below.
    Context m_context;
    std::map<ProgramSpec, std::shared_future<ProgramPtr>> m_programs;
    std::vector<std::future<void>> m_builders; ///< Destroyed first, which waits for the builds.
};

} // namespace headscope::gpu
