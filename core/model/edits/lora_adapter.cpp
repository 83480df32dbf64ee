#include "core/model/edits/lora_adapter.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/model/model.h"
#include "core/model/weights/lazy_parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

std::size_t parameterOf(const ParameterSet& parameters, const LoraUpdate& update)
{
    const auto& specs = parameters.specs();
    const auto found = std::ranges::find(specs, update.parameter, &ParameterSpec::name);
    if (found == specs.end())
        throw ShapeError(fmt::format("no parameter {}", update.parameter), "adapter");
    const Shape& shape = found->shape;
    const Shape& left = update.left.shape();
    const Shape& right = update.right.shape();
    if (shape.rank() != 2 || left.rank() != 2 || right.rank() != 2 || left[0] != shape[0] ||
        right[1] != shape[1] || left[1] != right[0])
        throw ShapeError(fmt::format("{} is {}, its update {} times {}", update.parameter,
                                     shape.toString(), left.toString(), right.toString()),
                         "adapter", "Use an adapter that was made for this model");
    return static_cast<std::size_t>(found - specs.begin());
}

/// Adds scale * left * right to `weights` [rows, columns].
void add(const LoraUpdate& update, Tensor& weights)
{
    const auto rows = static_cast<std::size_t>(weights.shape()[0]);
    const std::int64_t columns = weights.shape()[1];
    const std::int64_t rank = update.right.shape()[0];
    parallelFor(
        rows, std::min(rows, workerCount()), [&](std::size_t begin, std::size_t end, std::size_t) {
            std::vector<float> sums(static_cast<std::size_t>(columns));
            for (std::size_t row = begin; row < end; ++row) {
                std::ranges::fill(sums, 0.0F);
                const float* const left =
                    update.left.data() + static_cast<std::int64_t>(row) * rank;
                for (std::int64_t k = 0; k < rank; ++k) {
                    const float* const right = update.right.data() + k * columns;
                    for (std::int64_t i = 0; i < columns; ++i)
                        sums[static_cast<std::size_t>(i)] += left[k] * right[i];
                }
                float* const values = weights.data() + static_cast<std::int64_t>(row) * columns;
                const auto scale = static_cast<float>(update.scale);
                for (std::int64_t i = 0; i < columns; ++i)
                    values[i] += scale * sums[static_cast<std::size_t>(i)];
            }
        });
}

/// Unpacked into memory of its own: the base model's stays as it is stored.
Tensor copyOf(const ParameterSet& parameters, std::size_t index)
{
    const ParameterSpec& spec = parameters.specs()[index];
    Tensor copy(spec.shape);
    if (const LazyParameters* const stored = parameters.stored()) {
        unpackParameter(stored->parameter(index), {copy.data(), spec.shape});
        return copy;
    }
    const TensorView view = parameters.view(spec);
    std::copy_n(view.data, copy.size(), copy.data());
    return copy;
}

void requireRoom(const ParameterSet& parameters, const std::map<std::size_t, Tensor>& updated)
{
    std::uint64_t bytes = 0;
    for (const auto& [index, values] : updated)
        bytes += static_cast<std::uint64_t>(parameters.specs()[index].shape.elementCount()) *
                 sizeof(float);
    requireMemory(bytes, "applying the adapter");
}

} // namespace

std::shared_ptr<const Model> adaptedModel(const std::shared_ptr<const Model>& base,
                                          const LoraAdapter& adapter, std::vector<WeightEdit> edits,
                                          const std::stop_token& stop)
{
    const ParameterSet& parameters = base->parameters();
    std::map<std::size_t, Tensor> updated;
    for (const LoraUpdate& update : adapter.updates)
        updated.emplace(parameterOf(parameters, update), Tensor());
    requireRoom(parameters, updated);
    for (const LoraUpdate& update : adapter.updates) {
        throwIfStopped(stop);
        const std::size_t index = parameterOf(parameters, update);
        Tensor& weights = updated.at(index);
        if (weights.empty())
            weights = copyOf(parameters, index);
        add(update, weights);
    }
    parameters.requireUnchanged();
    std::vector<ReplacedParameter> replaced;
    for (auto& [index, values] : updated)
        replaced.push_back({index, std::move(values)});
    return std::make_shared<const Model>(
        Model::replaced(base, std::move(replaced), std::move(edits)));
}

} // namespace headscope
