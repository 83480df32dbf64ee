#include "core/model/weights/packed_model.h"

#include "core/model/weights/lazy_parameters.h"

namespace headscope {

namespace {

/// Consecutive parameters from `ref` on.
std::vector<StoredParameter> storedParts(const LazyParameters& stored, const ParameterRef& ref)
{
    std::vector<StoredParameter> parts;
    std::int64_t rows = 0;
    for (std::size_t i = stored.indexAt(ref.offset); rows < ref.shape[0]; ++i) {
        rows += stored.shape(i)[0];
        parts.push_back(stored.parameter(i));
        if (parts.back().isAbsent()) { // zeros need their extents to be unpacked
            parts.back().rows = stored.shape(i)[0];
            parts.back().columns = ref.shape[1];
        }
    }
    return parts;
}

} // namespace

PackedModel::PackedModel(const ModelProgram& program, const ParameterSet& parameters)
{
    const auto view = [&](const ParameterRef& ref) {
        return ref ? parameters.at(ref.offset, ref.shape) : TensorView();
    };
    linears.reserve(program.linears.size());
    for (const LinearRef& linear : program.linears) {
        if (parameters.stored() != nullptr)
            linears.emplace_back(storedParts(*parameters.stored(), linear.weight),
                                 view(linear.bias));
        else
            linears.emplace_back(view(linear.weight), view(linear.bias));
    }
}

} // namespace headscope
