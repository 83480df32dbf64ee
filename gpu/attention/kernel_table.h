#pragma once

#include "gpu/attention/tuning.h"
#include "gpu/cl/opencl.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope::gpu {

/// Task of a kernel in a call; a family has those that it needs.
enum class KernelJob {
    Forward,
    Maps, ///< Pattern and scores.
    PackKeys,
    PackValues,
    CopyRows,
    Backward,
    SumContributions,
    BiasGradient,
    RowProducts,
    KeyGradients,
    QueryGradients
};

/// Work-items of a group: one, a row of Tuning::group, or group by group.
enum class GroupShape { Single, Line, Square };

/// Programs that launch a kernel once after they are built.
enum class WarmUp { Never, Forward, Backward, Always };

struct KernelRow
{
    KernelFamily family;
    KernelJob job;
    const char* file; ///< Path gpu/kernels/FILE.cl.
    const char* name;
    bool backward; ///< True in programs for backward only.
    GroupShape shape;
    WarmUp warmUp;
    cl_uint buffers;                 ///< Number of arguments after the parameters, for warming up.
    std::int64_t maxDim = INT64_MAX; ///< Largest size of a head.
};

using Sizes = std::array<std::size_t, 3>;

Sizes groupSizes(GroupShape shape, const Tuning& tuning);

/// Last row of a job that serves heads of this size.
const KernelRow& kernelRow(KernelFamily family, KernelJob job, std::int64_t largestDim);

/// Rows that a program launches once after it is built.
std::vector<const KernelRow*> warmUpRows(KernelFamily family, bool backward,
                                         std::int64_t largestDim);

/// All source files of a program, concatenated.
std::string kernelSources(KernelFamily family, bool backward);

} // namespace headscope::gpu
