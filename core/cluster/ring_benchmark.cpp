#include "core/cluster/ring_benchmark.h"

#include "core/base/random.h"
#include "core/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <unistd.h>

namespace headscope {

namespace {

Tensor randomTensor(const RingCase& shape, std::uint64_t seed)
{
    Tensor tensor({1, shape.heads, shape.tokens, shape.headDim});
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

TensorView tokensOf(TensorView whole, const RingPart& part)
{
    TensorView view = whole;
    view.data += part.first * whole.stride(2);
    view.shape = {whole.shape[0], whole.shape[1], part.tokens, whole.shape[3]};
    return view;
}

double largestDifference(TensorView one, TensorView other)
{
    double largest = 0.0;
    for (std::int64_t h = 0; h < one.shape[1]; ++h)
        for (std::int64_t t = 0; t < one.shape[2]; ++t)
            for (std::int64_t d = 0; d < one.shape[3]; ++d)
                largest = std::max(
                    largest, std::abs(static_cast<double>(one(0, h, t, d) - other(0, h, t, d))));
    return largest;
}

/// Largest of all ranks' values, at rank 0. Sums over one element per rank.
double largestOfAll(Communicator& group, double value)
{
    std::vector<double> values(group.size(), 0.0);
    values[group.rank()] = value;
    group.sumToFirst(std::span(values));
    return *std::ranges::max_element(values);
}

constexpr std::size_t kVisitNumbers = 5; ///< Process, first key, keys, skipped, ms.

/// One round trip, with the time at which each block was done.
std::vector<RingVisit>
watchRing(Communicator& group,
          const std::function<void(const std::function<void(const RingStep&)>&)>& ring)
{
    std::vector<RingVisit> visits;
    const Stopwatch watch;
    ring([&](const RingStep& step) {
        visits.push_back(
            {group.rank(), static_cast<std::int64_t>(getpid()), step, watch.milliseconds()});
    });
    return visits;
}

/// The visits of all ranks, at rank 0. Each rank fills its own part of a sum.
std::vector<RingVisit> visitsOfAll(Communicator& group, const std::vector<RingVisit>& own)
{
    const auto size = static_cast<std::size_t>(group.size());
    std::vector<double> numbers(size * size * kVisitNumbers, 0.0);
    for (std::size_t round = 0; round < own.size(); ++round) {
        const RingVisit& visit = own[round];
        double* const at =
            &numbers[(static_cast<std::size_t>(group.rank()) * size + round) * kVisitNumbers];
        at[0] = static_cast<double>(visit.process);
        at[1] = static_cast<double>(visit.step.keys.first);
        at[2] = static_cast<double>(visit.step.keys.tokens);
        at[3] = visit.step.isSkipped ? 1.0 : 0.0;
        at[4] = visit.ms;
    }
    group.sumToFirst(std::span(numbers));
    std::vector<RingVisit> all;
    for (std::size_t i = 0; i < size * size; ++i) {
        const double* const at = &numbers[i * kVisitNumbers];
        const RingPart keys{static_cast<std::int64_t>(at[1]), static_cast<std::int64_t>(at[2])};
        all.push_back({static_cast<std::int64_t>(i / size),
                       static_cast<std::int64_t>(at[0]),
                       {static_cast<std::int64_t>(i % size), keys, at[3] != 0.0},
                       at[4]});
    }
    return all;
}

} // namespace

RingTiming measureRing(Communicator& group, AttentionBackend& backend, const RingCase& shape)
{
    const Tensor queries = randomTensor(shape, 1);
    const Tensor keys = randomTensor(shape, 2);
    const Tensor values = randomTensor(shape, 3);
    AttentionInputs whole;
    whole.queries = queries.view();
    whole.keys = keys.view();
    whole.values = values.view();
    whole.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(shape.headDim)));
    whole.mask.causal = true;
    Tensor full(queries.shape());
    AttentionOutputs outputs;
    outputs.context = full.view();

    const RingPart part = ringPart(shape.tokens, group.rank(), group.size());
    const RingInputs inputs{tokensOf(whole.queries, part),
                            tokensOf(whole.keys, part),
                            tokensOf(whole.values, part),
                            shape.tokens,
                            whole.scale,
                            true};
    Tensor context({1, shape.heads, part.tokens, shape.headDim});

    RingTiming timing;
    timing.shape = shape;
    timing.processes = group.size();
    ringAttention(group, backend, inputs, context.view()); // allocates memory
    timing.ringMs = medianMilliseconds(
        shape.rounds, [&](int) { ringAttention(group, backend, inputs, context.view()); });
    timing.ringMs = largestOfAll(group, timing.ringMs);
    timing.visits = visitsOfAll(group, watchRing(group, [&](const auto& seen) {
                                    ringAttention(group, backend, inputs, context.view(), seen);
                                }));
    if (group.rank() == 0)
        timing.fullMs =
            medianMilliseconds(shape.rounds, [&](int) { backend.forward(whole, outputs); });
    else
        backend.forward(whole, outputs);
    const Tensor& own = context;
    const Tensor& expected = full;
    timing.largestError =
        largestOfAll(group, largestDifference(own.view(), tokensOf(expected.view(), part)));
    const std::int64_t token =
        shape.heads * shape.headDim * 2 * static_cast<std::int64_t>(sizeof(float));
    timing.blockBytes = (shape.tokens + group.size() - 1) / group.size() * token;
    timing.wholeBytes = shape.tokens * token;
    return timing;
}

} // namespace headscope
