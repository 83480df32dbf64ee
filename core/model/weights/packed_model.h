#pragma once

#include "core/model/pass/model_program.h"
#include "core/model/weights/packed_linear.h"
#include "core/model/weights/parameters.h"

namespace headscope {

/// A copy of a model's matrices in the order in which a forward pass reads them, indexed by
/// LinearRef::packed; of stored ones only their place in the file, unless they are floats that
/// `precision` rounds. Immutable.
struct PackedModel
{
    PackedModel(const ModelProgram& program, const ParameterSet& parameters,
                WeightPrecision precision = WeightPrecision::Float32);

    /// Shares the matrices of `base` that `parameters` shares with its parameters.
    PackedModel(const ModelProgram& program, const ParameterSet& parameters,
                WeightPrecision precision, const PackedModel& base);

    std::vector<PackedLinear> linears;
};

} // namespace headscope
