#include "gpu/attention/tuning.h"

#include <array>

namespace headscope::gpu {

namespace {

struct Row
{
    KernelFamily family;
    int minVectorWidth;     ///< Native floats per vector.
    std::int64_t minTokens; ///< Smallest number of keys.
    std::int64_t maxDim;    ///< Largest size of a head.
    Tuning tuning;
};

constexpr std::int64_t kAny = INT64_MAX;

// Block rows for 16 wide vectors were measured on Zen 4; narrower ones follow from the register
// count: rows * chunk float16 accumulators must fit in it. Tiled rows are bounded by registers and
// local memory.
constexpr std::array kRows{
    Row{KernelFamily::Block, 16, 96, kAny, {.rows = 12, .panelVectors = 8, .chunk = 2}},
    Row{KernelFamily::Block, 16, 17, kAny, {.rows = 8, .panelVectors = 4, .chunk = 2}},
    Row{KernelFamily::Block, 16, 0, kAny, {.rows = 8, .panelVectors = 1, .chunk = 1}},
    Row{KernelFamily::Block, 8, 96, kAny, {.rows = 6, .panelVectors = 8, .chunk = 1}},
    Row{KernelFamily::Block, 8, 0, kAny, {.rows = 6, .panelVectors = 2, .chunk = 1}},
    Row{KernelFamily::Block, 0, 0, kAny, {.rows = 3, .panelVectors = 4, .chunk = 1}},
    Row{KernelFamily::Tiled, 0, 256, 128, {.group = 16, .tile = 64, .depth = 32}},
    Row{KernelFamily::Tiled, 0, 0, 128, {.group = 16, .tile = 32, .depth = 32}},
    Row{KernelFamily::Tiled, 0, 0, kAny, {.group = 16, .tile = 32, .depth = 64}},
    Row{KernelFamily::Tiled, 0, 0, kAny, {.group = 8, .tile = 16, .depth = 16}},
};

bool fits(const Row& row, const OpenClFacts& facts)
{
    if (row.family == KernelFamily::Block)
        return facts.floatVectorWidth >= row.minVectorWidth;
    const auto items =
        static_cast<std::size_t>(row.tuning.group) * static_cast<std::size_t>(row.tuning.group);
    return facts.maxWorkGroup >= items && facts.localMemoryBytes >= localMemoryOf(row.tuning);
}

} // namespace

KernelFamily familyFor(const OpenClFacts& facts)
{
    return facts.isCpu ? KernelFamily::Block : KernelFamily::Tiled;
}

Tuning chooseTuning(KernelFamily family, const OpenClFacts& facts, std::int64_t tokens,
                    std::int64_t largestDim)
{
    for (const Row& row : kRows) {
        if (row.family == family && tokens >= row.minTokens && largestDim <= row.maxDim &&
            fits(row, facts))
            return row.tuning;
    }
    return kRows.back().tuning;
}

std::uint64_t localMemoryOf(const Tuning& tuning)
{
    const auto tile = static_cast<std::uint64_t>(tuning.tile);
    const auto depth = static_cast<std::uint64_t>(tuning.depth);
    const auto group = static_cast<std::uint64_t>(tuning.group);
    const std::uint64_t floats = 2 * tile * (depth + 1) + tile * (tile + 1) + tile * group;
    return floats * sizeof(float);
}

} // namespace headscope::gpu
