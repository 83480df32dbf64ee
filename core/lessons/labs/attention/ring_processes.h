#pragma once

#include "core/cluster/ring_benchmark.h"

#include <optional>
#include <string>

namespace headscope {

/// Ring attention of one layer, as measured by `headscope bench ring`.
struct RingMeasurement
{
    RingTiming timing;
    std::string why; ///< Why threads took the place of processes; empty for processes.

    bool hasProcesses() const { return why.empty(); }
};

/// Measures over processes that mpirun starts, or over threads of this process where mpirun or this
/// program's file is missing or fails.
RingMeasurement measureRingHere(std::int64_t workers, const RingCase& shape);

/// Reads the output of `headscope bench ring --json`. Throws FormatError.
RingTiming parseRingTiming(const std::string& json);

} // namespace headscope
