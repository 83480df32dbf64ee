#pragma once

#include "core/model/config/model_config.h"
#include "core/model/pass/program.h"
#include "core/model/positions/position_tables.h"

#include <optional>

namespace headscope {

/// A configuration compiled to layers: one stack, or an encoder and a decoder. Holds no weights, so
/// a model and its trainer may share it between any number of threads.
struct ModelProgram
{
    /// Throws Error for an invalid configuration.
    explicit ModelProgram(const ModelConfig& config);

    Program main;                   ///< The only stack, or the decoder.
    std::optional<Program> encoder; ///< Encoder of an encoder-decoder.
    ValueRef output;                ///< Final hidden states of `main`, before the heads.
    ValueRef encoderOutput;         ///< Output of `encoder`: the decoder's memory.
    std::vector<LinearRef> linears; ///< Indexed by LinearRef::packed.
    std::int64_t expertLayers = 0;  ///< Number of layers that contribute to the balancing loss.
    PositionTables positions;
};

} // namespace headscope
