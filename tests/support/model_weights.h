#pragma once

#include "core/model/model.h"

#include <algorithm>
#include <functional>
#include <string>

namespace headscope::test {

/// A model of `config` with the weights of another: each parameter takes the values of the one that
/// `nameOf` gives for its name ("" or a name that is not there: it stays zero), whose values are
/// repeated or cut when there are fewer or more.
inline Model withWeights(
    const ModelConfig& config, const ParameterSet& from,
    const std::function<std::string(const std::string&)>& nameOf = [](const std::string& name) {
        return name;
    })
{
    ParameterSet parameters(config);
    for (const ParameterSpec& spec : parameters.specs()) {
        const std::string name = nameOf(spec.name);
        const auto found = std::ranges::find(from.specs(), name, &ParameterSpec::name);
        if (found == from.specs().end())
            continue;
        const TensorView source = from.view(*found);
        const MutableTensorView target = parameters.view(spec);
        const std::int64_t count = source.shape.elementCount();
        for (std::int64_t i = 0; i < target.shape.elementCount(); ++i)
            target.data[i] = source.data[i % count];
    }
    return {config, std::move(parameters)};
}

} // namespace headscope::test
