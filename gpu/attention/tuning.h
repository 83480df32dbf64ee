#pragma once

#include "gpu/cl/device.h"

#include <compare>
#include <cstdint>

namespace headscope::gpu {

/// Block kernels are for CPU devices, tiled ones (local memory) for GPUs.
enum class KernelFamily { Block, Tiled };

/// Values for the #ifndef defaults of a kernel file; a family ignores those of the other.
struct Tuning
{
    int rows = 8;         ///< Macro ROWS.
    int panelVectors = 4; ///< Macro PANEL_VECTORS.
    int chunk = 2;        ///< Macro CHUNK.
    int backBlock = 48;   ///< Macro BACK_BLOCK.
    int group = 16;       ///< Macro GROUP.
    int tile = 32;        ///< Macro TILE.
    int depth = 32;       ///< Macro DEPTH.

    int panel() const { return 16 * panelVectors; }

    auto operator<=>(const Tuning&) const = default;
};

KernelFamily familyFor(const OpenClFacts& facts);

/// First row of the table that fits the device and the size; the last one fits all.
Tuning chooseTuning(KernelFamily family, const OpenClFacts& facts, std::int64_t tokens,
                    std::int64_t largestDim);

/// Bytes of local memory that a tiled kernel needs.
std::uint64_t localMemoryOf(const Tuning& tuning);

} // namespace headscope::gpu
