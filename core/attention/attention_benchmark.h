#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/device_policy.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// One layer to time, all heads with their own keys.
struct BenchmarkShape
{
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t tokens = 1;
    std::int64_t headDim = 1;
    bool causal = false;
    bool backward = false; ///< forward and backward together

    std::string toString() const; ///< "8 x 8 heads, 128 tokens of 32, causal, forward"
};

/// The layers that `headscope bench attention` reports: from one short sentence to 2048 tokens,
/// full and causal, forward alone and with backward.
std::vector<BenchmarkShape> benchmarkShapes();

struct BenchmarkTimes
{
    std::string backend; ///< its name
    double medianMs = 0.0;
    double bestMs = 0.0;
    double gigaFlops = 0.0; ///< per second at the median, masked work not counted
};

struct BenchmarkResult
{
    BenchmarkShape shape;
    int rounds = 0;
    std::vector<BenchmarkTimes> times; ///< one for each backend that supports the shape
};

struct BenchmarkOptions
{
    int rounds = 9;
    double secondsPerSample = 0.02; ///< short calls are repeated within a sample
};

/// Medians over rounds in which all backends take turns, so that a drifting machine hits all alike.
BenchmarkResult benchmarkAttention(const std::vector<AttentionBackend*>& backends,
                                   const BenchmarkShape& shape,
                                   const BenchmarkOptions& options = {});

/// Times growing layers on both; empty when stopped. Ends at the first layer that takes long.
std::optional<std::vector<MeasuredClass>>
measureClasses(AttentionBackend& cpu, AttentionBackend& device, const std::stop_token& stop);

} // namespace headscope
