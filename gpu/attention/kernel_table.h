#pragma once

#include "gpu/attention/tuning.h"
#include "gpu/cl/opencl.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope::gpu {

/// What a kernel does in a call; a family has those that it needs.
enum class KernelJob {
    Forward,
    Maps, ///< pattern and scores
    PackKeys,
    PackValues,
    CopyRows,
    Backward,
    SumShares,
    BiasGradient,
    RowProducts,
    KeyGradients,
    QueryGradients
};

/// Work items of a group: one, a row of Tuning::group, or group by group.
enum class GroupShape { Single, Line, Square };

/// Which programs launch a kernel once when they are built.
enum class WarmUp { Never, Forward, Backward, Always };

struct KernelRow
{
    KernelFamily family;
    KernelJob job;
    const char* file; ///< gpu/kernels/FILE.cl
    const char* name;
    bool backward; ///< of the programs for backward alone
    GroupShape shape;
    WarmUp warmUp;
    cl_uint buffers;                 ///< arguments after the parameters, to warm up
    std::int64_t maxDim = INT64_MAX; ///< of a head
};

using Sizes = std::array<std::size_t, 3>;

Sizes groupSizes(GroupShape shape, const Tuning& tuning);

/// The last row of that job that serves heads of this size.
const KernelRow& kernelRow(KernelFamily family, KernelJob job, std::int64_t largestDim);

/// The rows that a program launches once when it is built.
std::vector<const KernelRow*> warmUpRows(KernelFamily family, bool backward,
                                         std::int64_t largestDim);

/// All files of a program, one after the other.
std::string kernelSources(KernelFamily family, bool backward);

} // namespace headscope::gpu
