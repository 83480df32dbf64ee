#include "gpu/attention/kernel_library.h"

#include "gpu/attention/kernel_parameters.h"
#include "gpu/attention/kernel_table.h"
#include "gpu/cl/status.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::gpu {

namespace {

/// Without -w PoCL's compiler counts its warnings on standard error; errors are in the build log.
std::string optionsOf(const ProgramSpec& spec, bool isCpu)
{
    const Tuning& t = spec.tuning;
    const std::string sizes = fmt::format(
        "-cl-std=CL1.2 -cl-mad-enable -w -DHEAD_SPACE={} -DVALUE_SPACE={} -DPARAMETER_BYTES={}",
        spec.headSpace, spec.valueSpace, sizeof(KernelParameters));
    if (spec.family == KernelFamily::Block)
        return fmt::format("{} -DROWS={} -DPANEL_VECTORS={} -DCHUNK={} -DBACK_BLOCK={}", sizes,
                           t.rows, t.panelVectors, t.chunk, t.backBlock);
    // On a CPU device the tiled kernels are used by tests only: all that matters is how fast they
    // compile.
    return fmt::format("{} -DGROUP={} -DTILE={} -DDEPTH={} {}", sizes, t.group, t.tile, t.depth,
                       isCpu ? "-DUNROLLED=0 -cl-opt-disable" : "-DUNROLLED=1");
}

/// Launches with no tokens, which computes nothing but makes lazily compiling drivers compile.
void launchOnce(cl_context context, const OpenClDevice& device, cl_program program,
                const ProgramSpec& spec)
{
    const auto turn = takeTurn(device.facts);
    const Queue queue = createQueue(context, device.id);
    const Buffer nothing = createBuffer(context, CL_MEM_READ_WRITE, 4096);
    const KernelParameters none;
    const cl_mem memory = nothing.get();
    const std::int64_t dim = std::max(spec.headSpace, spec.valueSpace);
    std::vector<Kernel> kernels; // alive until the queue is done
    for (const KernelRow* row : warmUpRows(spec.family, spec.backward, dim)) {
        kernels.push_back(createKernel(program, row->name));
        const cl_kernel kernel = kernels.back().get();
        checkArgumentCount(kernel, row->buffers + 1);
        setArgument(kernel, 0, sizeof none, &none);
        for (cl_uint index = 1; index <= row->buffers; ++index)
            setArgument(kernel, index, sizeof memory, &memory);
        const Sizes size = groupSizes(row->shape, spec.tuning);
        HS_CL(clEnqueueNDRangeKernel(queue.get(), kernel, row->shape == GroupShape::Square ? 3 : 2,
                                     nullptr, size.data(), size.data(), 0, nullptr, nullptr));
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

// The program is published only once its binary is stored: to extract it PoCL compiles kernels, and
// the code that it then lists would be mistaken for that of running commands (see takeTurn).
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
        buildProgram(shared, m_device, kernelSources(spec.family, spec.backward),
                     optionsOf(spec, m_device.facts.isCpu) + " " + m_extraOptions, m_cache));
    launchOnce(shared, m_device, built->program.get(), spec);
    return built;
}

} // namespace headscope::gpu
