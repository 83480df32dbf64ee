#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/config/model_config.h"

#include <vector>

namespace headscope {

/// Visible cells of a real forward pass, row by row: 1 where a query may attend to a key, else 0.
struct VisibleCells
{
    std::vector<double> encoder; ///< [source, source]; empty without an encoder.
    std::vector<double> decoder; ///< [target, target]; empty without a decoder.
    std::vector<double> cross;   ///< [target, source]; empty without cross-attention.

    static std::int64_t count(const std::vector<double>& cells);
};

/// Runs a small model of the same architecture, since visibility does not depend on size.
VisibleCells visibleCells(const ModelConfig& config, std::int64_t source, std::int64_t target,
                          AttentionBackend& backend);

} // namespace headscope
