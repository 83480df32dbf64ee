#include "core/model/packed_model.h"

namespace headscope {

PackedModel::PackedModel(const ModelProgram& program, const ParameterSet& parameters)
{
    const float* base = parameters.values().data();
    const auto view = [base](const ParameterRef& ref) {
        return ref ? TensorView(base + ref.offset, ref.shape) : TensorView();
    };
    linears.reserve(program.linears.size());
    for (const LinearRef& linear : program.linears)
        linears.emplace_back(view(linear.weight), view(linear.bias));
}

} // namespace headscope
