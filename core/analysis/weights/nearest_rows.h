#pragma once

#include "core/analysis/weights/weight_reader.h"

namespace headscope {

/// A row and its cosine with another.
struct NearRow
{
    std::int64_t row = 0;
    double cosine = 0.0;
};

/// The `count` stored rows with the largest cosine with row `index`, which is not among them,
/// largest first; rows of zeros have none. Throws Cancelled.
std::vector<NearRow> nearestRows(const WeightReader& reader, std::int64_t index, std::size_t count,
                                 const std::stop_token& stop = {});

} // namespace headscope
