#include "gpu/attention/kernel_table.h"

#include "gpu/kernels/kernel_sources.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace headscope::gpu {

namespace {

constexpr KernelFamily kBlock = KernelFamily::Block;
constexpr KernelFamily kTiled = KernelFamily::Tiled;
constexpr GroupShape kSingle = GroupShape::Single;
constexpr GroupShape kLine = GroupShape::Line;
constexpr GroupShape kSquare = GroupShape::Square;

// Each file is included in a program once, at its first kernel. A variant for some sizes follows
// the row that serves all.
constexpr std::array kRows{KernelRow{kBlock, KernelJob::Forward, "attention_block", "block_forward",
                                     false, kSingle, WarmUp::Forward, 9},
                           KernelRow{kBlock, KernelJob::Maps, "attention_block", "block_maps",
                                     false, kSingle, WarmUp::Forward, 9},
                           KernelRow{kBlock, KernelJob::PackKeys, "attention_block_packing",
                                     "block_pack_keys", false, kSingle, WarmUp::Always, 2},
                           KernelRow{kBlock, KernelJob::PackValues, "attention_block_packing",
                                     "block_pack_values", false, kSingle, WarmUp::Backward, 2},
                           KernelRow{kBlock, KernelJob::CopyRows, "attention_block_packing",
                                     "block_copy_rows", false, kSingle, WarmUp::Never, 0},
                           KernelRow{kBlock, KernelJob::Backward, "attention_block_backward",
                                     "block_backward", true, kSingle, WarmUp::Backward, 14},
                           KernelRow{kBlock, KernelJob::SumContributions,
                                     "attention_block_backward", "block_sum_parts", true, kSingle,
                                     WarmUp::Never, 0},
                           KernelRow{kBlock, KernelJob::BiasGradient, "attention_block_backward",
                                     "block_bias_gradient", true, kSingle, WarmUp::Never, 0},
                           KernelRow{kTiled, KernelJob::Forward, "attention_tiled", "tiled_forward",
                                     false, kSquare, WarmUp::Forward, 9},
                           KernelRow{kTiled, KernelJob::Maps, "attention_tiled", "tiled_maps",
                                     false, kSquare, WarmUp::Forward, 9},
                           KernelRow{kTiled, KernelJob::RowProducts, "attention_tiled_backward",
                                     "tiled_row_products", true, kLine, WarmUp::Backward, 3},
                           KernelRow{kTiled, KernelJob::KeyGradients, "attention_tiled_backward",
                                     "tiled_key_gradients", true, kSquare, WarmUp::Backward, 12},
                           KernelRow{kTiled, KernelJob::QueryGradients, "attention_tiled_backward",
                                     "tiled_query_gradients", true, kSquare, WarmUp::Backward, 11},
                           KernelRow{kTiled, KernelJob::BiasGradient, "attention_tiled_backward",
                                     "tiled_bias_gradient", true, kSquare, WarmUp::Never, 0}};

} // namespace

Sizes groupSizes(GroupShape shape, const Tuning& tuning)
{
    const std::size_t side = tuning.group;
    return {shape == GroupShape::Single ? 1 : side, shape == GroupShape::Square ? side : 1, 1};
}

const KernelRow& kernelRow(KernelFamily family, KernelJob job, std::int64_t largestDim)
{
    const auto found = std::find_if(kRows.rbegin(), kRows.rend(), [&](const KernelRow& row) {
        return row.family == family && row.job == job && largestDim <= row.maxDim;
    });
    if (found == kRows.rend())
        throw std::logic_error("no kernel of this family for a job");
    return *found;
}

std::vector<const KernelRow*> warmUpRows(KernelFamily family, bool backward,
                                         std::int64_t largestDim)
{
    std::vector<const KernelRow*> rows;
    for (const KernelRow& row : kRows) {
        const bool wanted = row.warmUp == WarmUp::Always ||
                            row.warmUp == (backward ? WarmUp::Backward : WarmUp::Forward);
        if (row.family == family && wanted && &kernelRow(family, row.job, largestDim) == &row)
            rows.push_back(&row);
    }
    return rows;
}

std::string kernelSources(KernelFamily family, bool backward)
{
    std::vector<std::string_view> files{"attention_common"};
    if (family == KernelFamily::Block)
        files.emplace_back("attention_block_tiles");
    for (const KernelRow& row : kRows)
        if (row.family == family && (backward || !row.backward) &&
            std::find(files.begin(), files.end(), row.file) == files.end())
            files.emplace_back(row.file);
    std::string source;
    for (const std::string_view file : files)
        source += kernelSource(file);
    return source;
}

} // namespace headscope::gpu
