#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/device_policy.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Shape of one layer to time; every head has its own keys.
struct BenchmarkShape
{
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t tokens = 1;
    std::int64_t headDim = 1;
    bool causal = false;
    bool backward = false; ///< Times forward and backward together.

    /// Text such as "8 x 8 heads, 128 tokens of 32, causal, forward".
    std::string toString() const;
};

/// Layers that `headscope bench attention` reports: from one short sentence to 2048 tokens, full
/// and causal, forward alone and with backward.
std::vector<BenchmarkShape> benchmarkShapes();

struct BenchmarkTimes
{
    std::string backend; ///< Name of the backend.
    double medianMs = 0.0;
    double bestMs = 0.0;
    double gigaFlops = 0.0; ///< Billions per second at the median, masked work not counted.
};

struct BenchmarkResult
{
    BenchmarkShape shape;
    int rounds = 0;
    std::vector<BenchmarkTimes> times; ///< Times of each backend that supports the shape.
};

struct BenchmarkOptions
{
    int rounds = 9;
    /// Minimum length of a sample; short calls are repeated within it.
    double secondsPerSample = 0.02;
};

/// Medians over rounds in which all backends take turns, so that a drifting machine affects all
/// alike.
BenchmarkResult benchmarkAttention(const std::vector<AttentionBackend*>& backends,
                                   const BenchmarkShape& shape,
                                   const BenchmarkOptions& options = {});

/// Times layers of increasing size on both; empty when stopped. Ends at the first layer that takes
/// long.
std::optional<std::vector<MeasuredClass>>
measureClasses(AttentionBackend& cpu, AttentionBackend& device, const std::stop_token& stop);

} // namespace headscope
