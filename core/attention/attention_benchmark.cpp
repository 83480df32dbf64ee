#include "core/attention/attention_benchmark.h"

#include "core/attention/attention_geometry.h"
#include "core/attention/attention_operands.h"
#include "core/base/median.h"
#include "core/base/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

AttentionCase caseOf(const BenchmarkShape& shape)
{
    AttentionCase layer;
    layer.batch = shape.batch;
    layer.queryHeads = shape.heads;
    layer.keyHeads = shape.heads;
    layer.queryTokens = shape.tokens;
    layer.keyTokens = shape.tokens;
    layer.headDim = shape.headDim;
    layer.valueDim = shape.headDim;
    layer.mask = shape.causal ? CaseMask::Causal : CaseMask::None;
    return layer;
}

/// Operands and results of one layer, ready to run any number of times.
class Workload
{
public:
    explicit Workload(const BenchmarkShape& shape)
        : m_operands(caseOf(shape), 1)
        , m_context(shapeOf(shape))
        , m_logSumExp({shape.batch, shape.heads, shape.tokens})
    {
        if (shape.backward)
            for (Tensor& gradient : m_gradients)
                gradient = Tensor(shapeOf(shape));
    }

    AttentionInputs inputs() const { return m_operands.inputs(); }

    void forward(AttentionBackend& backend)
    {
        AttentionOutputs outputs;
        outputs.context = m_context.view();
        outputs.logSumExp = m_logSumExp.view();
        backend.forward(inputs(), outputs);
    }

    /// Requires a forward pass first.
    void backward(AttentionBackend& backend)
    {
        AttentionGradients gradients;
        gradients.queries = m_gradients[0].view();
        gradients.keys = m_gradients[1].view();
        gradients.values = m_gradients[2].view();
        const Tensor& context = m_context;
        const Tensor& logSumExp = m_logSumExp;
        backend.backward(inputs(), {context.view(), logSumExp.view(), m_operands.contextGradient()},
                         gradients);
    }

private:
    static Shape shapeOf(const BenchmarkShape& shape)
    {
        return {shape.batch, shape.heads, shape.tokens, shape.headDim};
    }

    AttentionOperands m_operands;
    Tensor m_context;
    Tensor m_logSumExp;
    Tensor m_gradients[3];
};

/// Seconds per call, averaged over as many as fill a sample.
template<class Call>
double sample(int repeats, Call call)
{
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i)
        call();
    return watch.seconds() / repeats;
}

template<class Call>
int repeatsFor(double seconds, Call call)
{
    call(); // the first call allocates, and a device compiles
    const double once = std::max(sample(1, call), 1e-7);
    return static_cast<int>(std::clamp(seconds / once, 1.0, 2000.0));
}

} // namespace

std::string BenchmarkShape::toString() const
{
    return fmt::format("{} x {} heads, {} tokens of {}, {}, {}", batch, heads, tokens, headDim,
                       causal ? "causal" : "full", backward ? "forward and backward" : "forward");
}

std::vector<BenchmarkShape> benchmarkShapes()
{
    const BenchmarkShape sizes[] = {
        {1, 8, 16, 32}, {1, 12, 64, 64}, {8, 8, 128, 32}, {4, 8, 512, 64}, {1, 8, 2048, 64}};
    std::vector<BenchmarkShape> shapes;
    for (BenchmarkShape shape : sizes)
        for (const bool causal : {false, true})
            for (const bool backward : {false, true}) {
                shape.causal = causal;
                shape.backward = backward;
                shapes.push_back(shape);
            }
    return shapes;
}

BenchmarkResult benchmarkAttention(const std::vector<AttentionBackend*>& backends,
                                   const BenchmarkShape& shape, const BenchmarkOptions& options)
{
    Workload workload(shape);
    const AttentionInputs inputs = workload.inputs();
    std::vector<AttentionBackend*> able;
    for (AttentionBackend* backend : backends)
        if (backend->supports(inputs))
            able.push_back(backend);
    const auto call = [&](AttentionBackend& backend) {
        workload.forward(backend);
        if (shape.backward)
            workload.backward(backend);
    };
    std::vector<int> repeats;
    for (AttentionBackend* backend : able)
        repeats.push_back(repeatsFor(options.secondsPerSample, [&] { call(*backend); }));
    std::vector<std::vector<double>> seconds(able.size());
    const int rounds = std::max(1, options.rounds);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < able.size(); ++i)
            seconds[i].push_back(sample(repeats[i], [&] { call(*able[i]); }));

    BenchmarkResult result{shape, rounds, {}};
    const double flops = attentionFlops(inputs, shape.backward);
    for (std::size_t i = 0; i < able.size(); ++i) {
        const double middle = median(seconds[i]);
        const double best = *std::min_element(seconds[i].begin(), seconds[i].end());
        result.times.push_back(
            {std::string(able[i]->name()), middle * 1e3, best * 1e3, flops / middle * 1e-9});
    }
    return result;
}

std::optional<std::vector<MeasuredClass>>
measureClasses(AttentionBackend& cpu, AttentionBackend& device, const std::stop_token& stop)
{
    constexpr int kRounds = 5;
    constexpr double kLongMs = 30.0;
    std::vector<MeasuredClass> classes;
    for (const std::int64_t tokens : {8, 16, 32, 64, 128, 256, 512, 1024}) {
        const BenchmarkShape shape{1, 8, tokens, 64, true, true};
        Workload workload(shape);
        const double forwardFlops = attentionFlops(workload.inputs(), false);
        const double wholeFlops = attentionFlops(workload.inputs(), true);
        std::vector<double> times[2][2];
        for (int round = 0; round <= kRounds; ++round)
            for (const int side : {0, 1}) {
                if (stop.stop_requested())
                    return std::nullopt;
                AttentionBackend& backend = side == 0 ? cpu : device;
                const double forward = sample(1, [&] { workload.forward(backend); });
                const double backward = sample(1, [&] { workload.backward(backend); });
                if (round == 0)
                    continue; // allocation and compilation
                times[side][0].push_back(forward * 1e3);
                times[side][1].push_back(backward * 1e3);
            }
        for (const int pass : {0, 1}) {
            const double flops = pass == 0 ? forwardFlops : wholeFlops - forwardFlops;
            classes.push_back(
                {sizeClassOf(flops, pass == 1), median(times[0][pass]), median(times[1][pass])});
        }
        if (classes.back().cpuMs > kLongMs || classes.back().deviceMs > kLongMs)
            break;
    }
    return classes;
}

} // namespace headscope
