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

TensorView viewOf(const ParameterSet& parameters, const ParameterRef& ref)
{
    return ref ? parameters.at(ref.offset, ref.shape) : TensorView();
}

bool isOfExpert(const ParameterSet& parameters, const ParameterRef& ref)
{
    const std::size_t index = parameters.stored()->indexAt(ref.offset);
    return parameters.specs()[index].name.find(".expert.") != std::string::npos;
}

/// Experts that no text uses are not read.
PackedLinear packedLinear(const LinearRef& linear, const ParameterSet& parameters,
                          WeightPrecision precision, bool inPlace)
{
    const TensorView bias = viewOf(parameters, linear.bias);
    if (!inPlace)
        return {viewOf(parameters, linear.weight), bias, precision};
    PackedLinear packed(storedParts(*parameters.stored(), linear.weight), bias, precision);
    if (!isOfExpert(parameters, linear.weight))
        packed.prepare();
    return packed;
}

bool isShared(const LazyParameters& stored, const LinearRef& linear)
{
    const auto isOwn = [&stored](const ParameterRef& ref) {
        return ref && stored.isOwn(ref.offset, ref.shape);
    };
    return !isOwn(linear.weight) && !isOwn(linear.bias);
}

} // namespace

PackedModel::PackedModel(const ModelProgram& program, const ParameterSet& parameters,
                         WeightPrecision precision)
{
    linears.reserve(program.linears.size());
    for (const LinearRef& linear : program.linears)
        linears.push_back(
            packedLinear(linear, parameters, precision, parameters.stored() != nullptr));
}

/// A matrix keeps its layout in memory, and so the order of its sums.
PackedModel::PackedModel(const ModelProgram& program, const ParameterSet& parameters,
                         WeightPrecision precision, const PackedModel& base)
{
    linears.reserve(program.linears.size());
    for (std::size_t i = 0; i < program.linears.size(); ++i) {
        const LinearRef& linear = program.linears[i];
        linears.push_back(
            isShared(*parameters.stored(), linear)
                ? base.linears[i]
                : packedLinear(linear, parameters, precision, base.linears[i].isInPlace()));
    }
}

} // namespace headscope
