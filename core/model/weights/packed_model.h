#pragma once

#include "core/model/pass/model_program.h"
#include "core/model/weights/packed_linear.h"
#include "core/model/weights/parameters.h"

namespace headscope {

/// A copy of a model's matrices in the order in which a forward pass reads them, by
/// LinearRef::packed; of stored ones only where in the file they are. Immutable.
struct PackedModel
{
    PackedModel(const ModelProgram& program, const ParameterSet& parameters);

    std::vector<PackedLinear> linears;
};

} // namespace headscope
