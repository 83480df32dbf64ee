#include "gpu/attention/opencl_attention.h"

#include "core/attention/attention_geometry.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace headscope::gpu {

namespace {

// Above these, a block kernel's private arrays or a tiled kernel's registers become too large.
constexpr std::int64_t kMaxBlockDim = 1024;
constexpr std::int64_t kMaxTiledDim = 512;
constexpr std::int64_t kMaxTokens = 1 << 24;

template<class View>
void fillRows(const View& view, float value)
{
    for (std::int64_t batch = 0; batch < view.shape[0]; ++batch) {
        for (std::int64_t head = 0; head < view.shape[1]; ++head) {
            for (std::int64_t token = 0; token < view.shape[2]; ++token) {
                float* row = &view(batch, head, token);
                std::fill_n(row, view.shape.rank() == 4 ? view.shape[3] : 1, value);
            }
        }
    }
}

/// Largest buffer that a call may need, in floats; a double so that nothing overflows.
double largestOperand(const AttentionGeometry& g, bool withCells)
{
    const auto product = [](std::initializer_list<std::int64_t> extents) {
        double all = 1.0;
        for (const std::int64_t extent : extents)
            all *= static_cast<double>(extent);
        return all;
    };
    const std::int64_t dim = rowSpace(std::max(g.headDim, g.valueDim));
    const std::int64_t keys = g.keyTokens + 128; // panels are padded
    double largest = std::max(product({g.batch, g.queryHeads, g.queryTokens, dim}),
                              product({g.batch, g.keyHeads, keys, dim}));
    if (withCells)
        largest = std::max(largest, product({g.batch, g.queryHeads, g.queryTokens, g.keyTokens}));
    return largest;
}

bool isReadyFuture(const std::shared_future<ProgramPtr>& program)
{
    return program.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

} // namespace

OpenClAttention::OpenClAttention(std::shared_ptr<KernelLibrary> library, OpenClOptions options)
    : m_library(std::move(library))
    , m_options(options)
    , m_family(options.family.value_or(familyFor(m_library->device().facts)))
{
}

// The last call's unmaps may still be pending, and releasing a queue does not wait.
OpenClAttention::~OpenClAttention()
{
    if (m_queue)
        clFinish(m_queue.get());
}

std::string OpenClAttention::describe() const
{
    return "OpenCL: " + m_library->device().facts.common.name;
}

bool OpenClAttention::supports(const AttentionInputs& inputs) const
{
    const AttentionGeometry g(inputs);
    const OpenClFacts& facts = m_library->device().facts;
    const std::int64_t dim = std::max(g.headDim, g.valueDim);
    if (dim > (m_family == KernelFamily::Block ? kMaxBlockDim : kMaxTiledDim))
        return false;
    if (std::max(g.queryTokens, g.keyTokens) > kMaxTokens)
        return false;
    const bool withCells = inputs.bias || inputs.keep != nullptr;
    if (largestOperand(g, withCells) * sizeof(float) > static_cast<double>(facts.maxBufferBytes))
        return false;
    if (m_family == KernelFamily::Tiled) {
        const Tuning tuning = chooseTuning(m_family, facts, g.keyTokens, dim);
        const std::size_t side = tuning.group;
        if (localMemoryOf(tuning) > facts.localMemoryBytes || side * side > facts.maxWorkGroup)
            return false;
    }
    return m_options.waitsForKernels || isReady(inputs);
}

bool OpenClAttention::isReady(const AttentionInputs& inputs) const
{
    return isReadyFuture(m_library->request(programFor(inputs, /*backward=*/false)));
}

void OpenClAttention::warmUp(std::int64_t headDim, std::int64_t valueDim, bool withBackward)
{
    for (const std::int64_t tokens : {16, 64, 128, 512}) {
        for (const bool backward : {false, true}) {
            if (backward && !withBackward)
                continue;
            const Tuning tuning = chooseTuning(m_family, m_library->device().facts, tokens,
                                               std::max(headDim, valueDim));
            m_library->request({m_family, backward, rowSpace(headDim), rowSpace(valueDim), tuning});
        }
    }
}

// On a CPU device "device memory" is host memory. A GPU that shares memory gets no host pointers:
// it would need page-aligned operands, which interleaved views are not.
MemoryMode OpenClAttention::memoryMode() const
{
    if (m_options.memory)
        return *m_options.memory;
    const OpenClFacts& facts = m_library->device().facts;
    return facts.isCpu && facts.common.sharesHostMemory ? MemoryMode::Shared : MemoryMode::Copied;
}

ProgramSpec OpenClAttention::programFor(const AttentionInputs& inputs, bool backward) const
{
    const AttentionGeometry g(inputs);
    return {m_family, backward, rowSpace(g.headDim), rowSpace(g.valueDim),
            chooseTuning(m_family, m_library->device().facts, g.keyTokens,
                         std::max(g.headDim, g.valueDim))};
}

cl_kernel OpenClAttention::kernel(const ProgramSpec& spec, const std::string& name)
{
    Kernel& kernel = m_kernels[{spec, name}];
    if (!kernel)
        kernel = createKernel(m_programs.at(spec)->program.get(), name);
    return kernel.get();
}

CallResources OpenClAttention::resources(const AttentionInputs& inputs, bool backward)
{
    CallResources resources;
    resources.context = m_library->context();
    if (!m_queue)
        m_queue = createQueue(resources.context, m_library->device().id);
    resources.queue = m_queue.get();
    resources.scratch = &m_scratch;
    resources.memory = memoryMode();
    resources.computeUnits = m_library->device().facts.common.computeUnits;
    resources.spec = programFor(inputs, backward);
    ProgramPtr& program = m_programs[resources.spec];
    if (!program)
        program = m_library->request(resources.spec).get();
    resources.kernel = [this, spec = resources.spec](const std::string& name) {
        return kernel(spec, name);
    };
    return resources;
}

void OpenClAttention::computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    if (inputs.keys.shape[2] == 0) {
        fillRows(outputs.context, 0.0F);
        if (outputs.logSumExp)
            fillRows(outputs.logSumExp, -std::numeric_limits<float>::infinity());
        return;
    }
    const CallResources needed = resources(inputs, /*backward=*/false);
    const auto turn = takeTurn(m_library->device().facts);
    runForward(needed, inputs, outputs);
}

void OpenClAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                      const AttentionGradients& gradients)
{
    const std::int64_t rows = inputs.queries.shape[0] * inputs.queries.shape[2];
    if (rows == 0 || inputs.keys.shape[2] == 0) {
        for (const MutableTensorView& view : {gradients.queries, gradients.keys, gradients.values})
            fillRows(view, 0.0F);
        if (gradients.bias)
            fillRows(gradients.bias, 0.0F);
        return;
    }
    const CallResources needed = resources(inputs, /*backward=*/true);
    const auto turn = takeTurn(m_library->device().facts);
    runBackward(needed, inputs, saved, gradients);
}

} // namespace headscope::gpu
