#pragma once

#include "core/model/config/model_config.h"
#include "core/model/pass/program.h"
#include "core/model/positions/position_tables.h"

#include <optional>

namespace headscope {

/// A configuration as layers: one stack, or an encoder and a decoder. Holds no weights, so a model
/// and its trainer may share it between any number of threads.
struct ModelProgram
{
    explicit ModelProgram(const ModelConfig& config); ///< throws Error for one that cannot be

    Program main;                   ///< the only stack, or the decoder
    std::optional<Program> encoder; ///< of an encoder-decoder
    ValueRef output;                ///< last hidden states of `main`, before the heads
    ValueRef encoderOutput;         ///< of `encoder`: the decoder's memory
    std::vector<LinearRef> linears; ///< by LinearRef::packed
    std::int64_t expertLayers = 0;  ///< that add to the balancing loss
    PositionTables positions;
};

} // namespace headscope
