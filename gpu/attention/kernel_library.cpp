#include "gpu/attention/kernel_library.h"

#include "gpu/attention/kernel_parameters.h"
#include "gpu/cl/status.h"
#include "gpu/kernels/kernel_sources.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace headscope::gpu {

namespace {

std::string sourceOf(const ProgramSpec& spec)
{
    const std::string family =
        spec.family == KernelFamily::Block ? "attention_block" : "attention_tiled";
    std::string source(kernelSource("attention_common"));
    if (spec.family == KernelFamily::Block)
        source += kernelSource(family + "_tiles");
    source += kernelSource(family);
    if (spec.family == KernelFamily::Block)
        source += kernelSource(family + "_packing");
    if (spec.backward)
        source += kernelSource(family + "_backward");
    return source;
}

std::string optionsOf(const ProgramSpec& spec, bool isCpu)
{
    const Tuning& t = spec.tuning;
    const std::string sizes = fmt::format(
        "-cl-std=CL1.2 -cl-mad-enable -DHEAD_SPACE={} -DVALUE_SPACE={} -DPARAMETER_BYTES={}",
        spec.headSpace, spec.valueSpace, sizeof(KernelParameters));
    if (spec.family == KernelFamily::Block)
        return fmt::format("{} -DROWS={} -DPANEL_VECTORS={} -DCHUNK={} -DBACK_BLOCK={}", sizes,
                           t.rows, t.panelVectors, t.chunk, t.backBlock);
    // On a CPU device the tiled kernels serve tests only: what counts is how fast they compile.
    return fmt::format("{} -DGROUP={} -DTILE={} -DDEPTH={} {}", sizes, t.group, t.tile, t.depth,
                       isCpu ? "-DUNROLLED=0 -cl-opt-disable" : "-DUNROLLED=1");
}

struct WarmKernel
{
    const char* name;
    cl_uint buffers; ///< arguments after the parameters
};

constexpr std::array kBlockForward{WarmKernel{"block_pack_keys", 2}, WarmKernel{"block_forward", 9},
                                   WarmKernel{"block_maps", 9}};
constexpr std::array kBlockBackward{WarmKernel{"block_pack_keys", 2},
                                    WarmKernel{"block_pack_values", 2},
                                    WarmKernel{"block_backward", 14}};
constexpr std::array kTiledForward{WarmKernel{"tiled_forward", 9}, WarmKernel{"tiled_maps", 9}};
constexpr std::array kTiledBackward{WarmKernel{"tiled_row_products", 3},
                                    WarmKernel{"tiled_key_gradients", 12},
                                    WarmKernel{"tiled_query_gradients", 11}};

std::vector<WarmKernel> kernelsOf(const ProgramSpec& spec)
{
    const auto list = [](const auto& kernels) {
        return std::vector<WarmKernel>(kernels.begin(), kernels.end());
    };
    if (spec.family == KernelFamily::Block)
        return spec.backward ? list(kBlockBackward) : list(kBlockForward);
    return spec.backward ? list(kTiledBackward) : list(kTiledForward);
}

/// A launch without any token: it computes nothing, but a driver that compiles late has compiled.
void launchOnce(cl_context context, const OpenClDevice& device, cl_program program,
                const ProgramSpec& spec)
{
    const auto turn = takeTurn(device.facts);
    const Queue queue = createQueue(context, device.id);
    const Buffer nothing = createBuffer(context, CL_MEM_READ_WRITE, 4096);
    const KernelParameters none;
    const cl_mem memory = nothing.get();
    const auto side = static_cast<std::size_t>(spec.tuning.group);
    const bool isBlock = spec.family == KernelFamily::Block;
    std::vector<Kernel> kernels; // alive until the queue is done
    for (const WarmKernel& warm : kernelsOf(spec)) {
        kernels.push_back(createKernel(program, warm.name));
        const cl_kernel kernel = kernels.back().get();
        checkArgumentCount(kernel, warm.buffers + 1);
        setArgument(kernel, 0, sizeof none, &none);
        for (cl_uint index = 1; index <= warm.buffers; ++index)
            setArgument(kernel, index, sizeof memory, &memory);
        const bool isFlat = isBlock || std::string_view(warm.name) == "tiled_row_products";
        const std::array<std::size_t, 3> size =
            isBlock ? std::array<std::size_t, 3>{1, 1, 1}
                    : std::array<std::size_t, 3>{side, isFlat ? 1 : side, 1};
        HS_CL(clEnqueueNDRangeKernel(queue.get(), kernel, isFlat ? 2 : 3, nullptr, size.data(),
                                     size.data(), 0, nullptr, nullptr));
    }
    HS_CL(clFinish(queue.get()));
}

} // namespace

std::int64_t rowSpace(std::int64_t dim)
{
    const std::int64_t step = dim <= 128 ? 16 : 64;
    return (dim + step - 1) / step * step;
}

KernelLibrary::KernelLibrary(OpenClDevice device, std::filesystem::path cacheFolder,
                             std::string extraOptions)
    : m_device(std::move(device))
    , m_cache(std::move(cacheFolder))
    , m_extraOptions(std::move(extraOptions))
{
}

cl_context KernelLibrary::context()
{
    const std::lock_guard lock(m_mutex);
    if (!m_context)
        m_context = createContext(m_device.id);
    return m_context.get();
}

std::shared_future<ProgramPtr> KernelLibrary::request(const ProgramSpec& spec)
{
    const std::lock_guard lock(m_mutex);
    auto& program = m_programs[spec];
    if (!program.valid()) {
        std::promise<ProgramPtr> promise;
        program = promise.get_future().share();
        m_builders.push_back(
            std::async(std::launch::async, [this, spec, promise = std::move(promise)]() mutable {
                buildAndKeep(spec, std::move(promise));
            }));
    }
    return program;
}

// Callers get the program only when its binary is stored: to extract it PoCL compiles kernels, and
// the codes that it then lists would be taken for those of running commands (see takeTurn).
void KernelLibrary::buildAndKeep(const ProgramSpec& spec, std::promise<ProgramPtr> program)
{
    try {
        const ProgramPtr built = build(spec);
        keepProgram(*built, m_cache);
        program.set_value(built);
    } catch (...) {
        program.set_exception(std::current_exception());
    }
}

ProgramPtr KernelLibrary::build(const ProgramSpec& spec)
{
    const cl_context shared = context();
    auto built = std::make_shared<BuiltProgram>(
        buildProgram(shared, m_device, sourceOf(spec),
                     optionsOf(spec, m_device.facts.isCpu) + " " + m_extraOptions, m_cache));
    launchOnce(shared, m_device, built->program.get(), spec);
    return built;
}

} // namespace headscope::gpu
